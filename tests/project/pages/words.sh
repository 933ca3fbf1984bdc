#!/bin/sh
# The words that people read: the pages (*.md), the public headers and the
# manual pages.
#
#     words.sh project
#
# A line of a page has at most 80 columns, unless it is code, a table or a URL.
# Phrases that CONTRIBUTING.md asks not to use are found, across line ends too.
# Five habits are counted: they are right in some places, and make a page hard to
# read when they are many. There may be at most as many as `habit_limit`, which
# falls as pages are rewritten.
# Files of this project and test programs that a page names exist; diaries and
# the changelog may name what is gone.
set -eu
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Regular expressions of awk, one per line, for text in lower case. Each begins
# at the start of a word.
phrases='
(is|are|was|were|be) no [a-z]
who (does|do) not
there is (no one|nobody)
(lies|stands|stood)[ .,;:]
(says|tells)[ .,;:]
behind
besides
anew
taken? for seen
likeness
'

# Openings with "Of a ..."; clauses in place of nouns; old words.
habits='
of (a|an|those|sets|what|each|one|all) [a-z]+ (that|which|it) 
what (came|comes|is given|was given|is said|was said)[^a-z]
those that[^a-z]
(nobody|meanwhile|likewise|sought)[^a-z]
who has[^a-z]
'
habit_limit=3

folders='src|include|tests|docs|fronts|bench|examples|scripts|abi|fuzz'

# Bytes after the first of a UTF-8 character do not take a column.
long_lines() {
    sed 's/[\x80-\xBF]//g' "$1" | awk -v file="${1#"$2"/}" '
        /^```/ { is_code = !is_code }
        is_code || /^    / || /^\|/ || /https?:/ { next }
        length > 80 { print file ":" FNR ": " length " columns" }'
}

# A paragraph is one text here, without code and the marks of comments.
forbidden_words() {
    awk -v file="${1#"$2"/}" -v phrases="$phrases" '
        function check(    i, at) {
            text = tolower(text)
            gsub(/[ \t]+/, " ", text)
            gsub(/`[^`]*`/, "CODE", text)
            gsub(/no (longer|more|less|later|earlier) /, "", text)
            gsub(/there (is|are|was|were) no /, "", text)
            for (i = 1; i <= count; i++)
                if (at = match(text, phrase[i]))
                    print file ":" first ": " \
                        substr(text, at > 30 ? at - 30 : 1, RLENGTH + 60)
            text = ""
        }
        BEGIN {
            total = split(phrases, lines, "\n")
            for (i = 1; i <= total; i++)
                if (lines[i] != "")
                    phrase[++count] = "[^a-z]" lines[i]
        }
        /^```/ { is_code = !is_code }
        !is_code && !/^    / {
            line = $0
            if (file ~ /\.h$/)
                sub(/^ *(\/?\*+\/?)/, "", line)
            if (line ~ /^[ \t]*$/ || line ~ /^\|/)
                check()
            if (text == "")
                first = FNR
            text = text " " line
        }
        END { check() }' "$1"
}

# Names of files, links between pages, and programs of tests.
named_files() {
    at=${1#"$2"/}
    sed -n 's/`/\n/g; s/](/\n](/g; p' "$1" |
        sed -nE -e 's,^]\(([^):#]+)[)#].*,link \1,p' \
            -e "s,^(($folders)/[^ ,;)]*).*,file \\1,p" \
            -e 's,^(test_[a-z_]+)( .*)?$,test \1,p' |
        grep -v '[<>]' | sort -u | while read -r kind name; do
        case $kind in
        link) set -- "$1" "$2" "$(dirname "$1")/$name" ;;
        file) set -- "$1" "$2" "$2/$name" ;;
        test) set -- "$1" "$2" "$(find "$2/tests" -name "${name#test_}.c")" ;;
        esac
        # shellcheck disable=SC2086 # a name may be a pattern
        ls -d $3 >"$work/names" 2>&1 && [ -n "$3" ] ||
            echo "$at: names $name, which does not exist"
    done
}

# The last cell of SECURITY.md's tables: the tests that hold a promise.
named_tests() {
    grep '^| [^|]* | [`a-z]' "$1/SECURITY.md" | sed 's/|$//; s/.*|//' |
        grep -oE '[a-z_/]{3,}' | sort -u | while read -r name; do
        [ "$name" = test ] || [ -d "$1/$name" ] || [ -d "$1/tests/$name" ] ||
            [ -n "$(find "$1/tests" -path "*/$name.c" -o \
                -path "*/$name.sh" -o \
                -path "*/${name%%_*}/${name#*_}.py" -o \
                -path "*/${name%/*}/*/${name##*/}.sh")" ] ||
            echo "SECURITY.md: names $name, which does not exist"
    done
}

# Prints a line for each of the five habits in a file.
counted_habits() {
    awk -v habits="$habits" '
        BEGIN {
            total = split(habits, lines, "\n")
            for (i = 1; i <= total; i++)
                if (lines[i] != "")
                    habit[++count] = "[^a-z]" lines[i]
        }
        { sub(/^ *(\/?\*+\/?)/, ""); text = text " " tolower($0) }
        END {
            for (i = 1; i <= count; i++) {
                rest = text
                while (match(rest, habit[i])) {
                    print FILENAME ": " substr(rest, RSTART, RLENGTH + 20)
                    rest = substr(rest, RSTART + RLENGTH - 1)
                }
            }
        }' "$1"
}

# All of them, one a line, in what people read.
all_habits() {
    { pages "$1" | grep -v -e docs/lab/ -e CHANGELOG.md
      find "$1/include" "$1/docs" -name '*.h' -o -name '*.[13]'; } |
        while read -r file; do counted_habits "$file"; done
}

pages() {
    find "$1" -name '*.md' ! -path '*/build/*' ! -path '*/.git/*' | sort
}

check() {
    pages "$1" | while read -r page; do
        long_lines "$page" "$1"
        forbidden_words "$page" "$1"
        case ${page#"$1"/} in
        CHANGELOG.md | docs/lab/*) ;;
        *) named_files "$page" "$1" ;;
        esac
    done
    [ ! -f "$1/SECURITY.md" ] || named_tests "$1"
    for file in "$1"/include/seenset/*.h "$1"/docs/man/*.[13]; do
        [ ! -f "$file" ] || forbidden_words "$file" "$1"
    done
}

[ -f "$1/README.md" ]
check "$1" >"$work/found"
cat "$work/found"
[ ! -s "$work/found" ] || exit 1

all_habits "$1" >"$work/habits"
count=$(wc -l <"$work/habits")
[ "$count" -le "$habit_limit" ] || {
    cat "$work/habits"
    echo "$count habits, where $habit_limit are allowed: rewrite some of these"
    exit 1
}

# ---- planted: a long line, and a phrase over two lines ----

planted() {
    mkdir -p "$work/planted/include/seenset" "$work/planted/tests" \
        "$work/planted/docs/man"
    printf '%s\n' "$2" >"$work/planted/$1"
    check "$work/planted" >"$work/found"
    grep -q "$3" "$work/found" || {
        echo "planted in $1 and not found: $2"
        exit 1
    }
    rm -rf "$work/planted"
}
planted page.md "$(printf '%081d' 0)" '81 columns'
planted page.md 'A lease is
no number.' 'lease is no number'
planted page.md '- It tells nothing.' 'tells'

mkdir -p "$work/planted/include" "$work/planted/docs"
echo 'It knows what came of a set that nobody has, and those that wait.' \
    >"$work/planted/page.md"
[ "$(all_habits "$work/planted" | wc -l)" = 4 ] || {
    echo "planted habits were not counted"
    exit 1
}
rm -rf "$work/planted"

planted include/seenset/plan.h '/* What stands
 * in it: there is
 * nobody. */' 'stands'
planted page.md 'As in `src/no/such.h`.' 'src/no/such.h, which'
planted page.md 'See [the page](no/such.md).' 'no/such.md, which'
planted page.md 'Run `test_nothing 7`.' 'test_nothing, which'
planted docs/man/page.1 'A full set
tells it.' 'tells it'
planted SECURITY.md '| No file is read. | `no_such_test` |' 'no_such_test, which'
