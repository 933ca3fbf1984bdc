#!/bin/sh
# The words that people read: the pages (*.md), the public headers and the
# manual pages.
#
#     words.sh project
#
# A line of a page has at most 80 columns, unless it is code, a table or a URL.
# Phrases that CONTRIBUTING.md asks not to use are found, across line ends too.
set -eu
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Regular expressions of awk, one per line, for text in lower case. Each begins
# at the start of a word.
phrases='
(is|are|was|were|be) no [a-z]
whoever
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

# Bytes after the first of a UTF-8 character do not take a column.
long_lines() {
    sed 's/[\x80-\xBF]//g' "$1" | awk -v file="${1#"$2"/}" '
        /^```/ { is_code = !is_code }
        is_code || /^    / || /^\|/ || /https?:/ { next }
        length > 80 { print file ":" FNR ": " length " columns" }'
}

# A paragraph is one text here: code and the marks of comments are left out.
forbidden_words() {
    awk -v file="${1#"$2"/}" -v phrases="$phrases" '
        function check(    i, at) {
            text = tolower(text)
            gsub(/[ \t]+/, " ", text)
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

pages() {
    find "$1" -name '*.md' ! -path '*/build/*' ! -path '*/.git/*' | sort
}

check() {
    pages "$1" | while read -r page; do
        long_lines "$page" "$1"
        forbidden_words "$page" "$1"
    done
    for file in "$1"/include/seenset/*.h "$1"/docs/*.[13]; do
        [ ! -f "$file" ] || forbidden_words "$file" "$1"
    done
}

[ -f "$1/README.md" ]
check "$1" >"$work/found"
cat "$work/found"
[ ! -s "$work/found" ] || exit 1

# ---- planted: a long line, and a phrase over two lines ----

planted() {
    mkdir -p "$work/planted/include/seenset"
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
planted page.md 'For whoever asks' 'whoever'
planted include/seenset/set.h '/* What stands
 * in it: there is
 * nobody. */' 'stands'
