#!/bin/sh
# Every figure of docs/guide.md is what the programs examples/guide_*.c print.
#
#     guide.sh <build folder> <source folder> [long]
#
# A block "```text PROGRAM SECTION" of the page is that section of what the
# program prints, from a line "== SECTION" to the next. A block "```text
# measured" has times, which differ from run to run: it must be there and have
# numbers. No other block has figures. Each number in the sentences is one of a
# block, but in the part "Sources". With `long`, the size of SQLite's file is
# compared too, if sqlite3 is installed.
set -eu
export LC_ALL=C
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LD_LIBRARY_PATH=$build
export LD_LIBRARY_PATH

run_programs() {
    for file in "$source"/examples/guide_*.c; do
        name=$(basename "$file" .c)
        "${CC:-cc}" -O2 -std=c11 -Wall -Wextra -Wpedantic -Wconversion \
            -Werror "$file" -I"$source/include" -L"$build" -lseenset -lm \
            -o "$work/$name"
        "$work/$name" >"$work/$name.printed"
        mkdir "$work/$name.sections"
        awk -v folder="$work/$name.sections" '
            /^== / { file = folder "/" $2; next }
            { print >file }' "$work/$name.printed"
    done
}

# Cuts the page into blocks: one file each, its opening line in FILE.opening.
cut_blocks() {
    rm -rf "$work/blocks" && mkdir "$work/blocks"
    awk -v folder="$work/blocks" '
        /^```/ && file != "" { close(file); file = ""; next }
        /^```/ {
            file = folder "/" ++count
            print >(file ".opening")
            printf "" >file
            next
        }
        file != "" { print >file }' "$1"
}

# The numbers of a text, one a line, without the commas in them.
numbers() {
    tr ',' '\n' <"$1" | grep -oE '[0-9]+(\.[0-9]+)?(e-?[0-9]+)?' | sort -u
}

# The sentences of the page: no blocks, no indented code, no links, no part
# "Sources", and "1,000" as one number.
sentences() {
    awk '/^```/ { is_code = !is_code; next }
        /^## / { is_sources = $2 == "Sources" }
        !is_code && !is_sources && !/^    /' "$1" |
        sed -E 's/`[^`]*`//g; s/\]\([^)]*\)//g; s/\([0-9]+\)//g
            s/[A-Za-z]+[0-9][A-Za-z0-9]*//g; s/([0-9]),([0-9]{3})/\1\2/g'
}

check_blocks() {
    for block in "$work"/blocks/*.opening; do
        opening=$(cat "$block")
        content=${block%.opening}
        case $opening in
        '```sh') ;;
        '```text measured'*)
            grep -q '[0-9]' "$content" || echo "$opening: is empty" ;;
        '```text guide_'*)
            section=$work/$(echo "$opening" | cut -d ' ' -f 2).sections/$(echo \
                "$opening" | cut -d ' ' -f 3)
            if [ ! -f "$section" ]; then
                echo "$opening: no program prints that"
            elif ! diff "$content" "$section" >"$work/difference"; then
                echo "$opening: the program prints something else:"
                cat "$work/difference"
            else
                touch "$section.used"
            fi
            ;;
        *) echo "$opening: is not a block of figures" ;;
        esac
    done
}

# Sections that the page does not show are of no use to a reader.
check_sections() {
    for section in "$work"/guide_*.sections/*; do
        case $section in
        *.used) ;;
        *) [ -f "$section.used" ] || echo "$section: is not in the page" ;;
        esac
    done
}

check_sentences() {
    sentences "$1" >"$work/sentences"
    numbers "$work/sentences" >"$work/named"
    cat "$work"/guide_*.printed "$work"/blocks/* |
        sed -E 's/([0-9]),([0-9]{3})/\1\2/g' >"$work/all"
    numbers "$work/all" >"$work/known"
    comm -23 "$work/named" "$work/known" | sed 's/^/no program prints /'
}

check() {
    cut_blocks "$1"
    check_blocks
    check_sentences "$1"
}

check_database() {
    command -v sqlite3 >/dev/null || return 0
    "$work/guide_alternatives" urls >"$work/urls.txt"
    sqlite3 "$work/seen.db" \
        "create table seen (url text primary key) without rowid"
    sqlite3 "$work/seen.db" ".import $work/urls.txt seen"
    size=$(wc -c <"$work/seen.db")
    stated=$(sed -n 's/^seen.db  *\([0-9,]*\) bytes.*/\1/p' "$1" | tr -d ,)
    awk -v size="$size" -v stated="$stated" 'BEGIN {
        if (!(size > 0.95 * stated && size < 1.05 * stated)) {
            print "seen.db has " size " bytes, not about " stated
            exit 1
        }
    }'
}

page=$source/docs/guide.md
run_programs
check "$page" >"$work/found"
check_sections >>"$work/found"
[ "${3:-}" != long ] || check_database "$page" >>"$work/found"
cat "$work/found"
[ ! -s "$work/found" ] || exit 1
echo "$(find "$work/blocks" -name '*.opening' | wc -l) blocks are right"

# ---- the planted faults ----

# planted SED: the page changed so must fail.
planted() {
    sed "$1" "$page" >"$work/planted.md"
    ! cmp -s "$page" "$work/planted.md"
    check "$work/planted.md" >"$work/found"
    [ -s "$work/found" ] || {
        echo "a planted fault was missed: $1"
        exit 1
    }
}
planted 's/^Hockey    4 8 /Hockey    4 9 /'
planted 's/0\.8194 %/0.8195 %/'
planted 's/`BF.EXISTS`/it takes 77 bits/'
planted 's/^```text guide_by_hand digits$/```text guide_by_hand numbers/'
planted 's/^```text guide_by_hand digits$/```/'
planted '/^seen.db/d; /^set of .*[0-9] *[0-9]*$/d; /^Bloom filter, /d'
