#!/bin/sh
# What a layout is and can do is in its row (src/table/layout.h); everything
# else asks the row. So outside of src/table no layout's number is compared.
#
#     layout_ids.sh project
#
# In src/ and fronts/, SEENSET_LAYOUT_X may only be a value: assigned, or in an
# initialiser, or the place of a row in a table:
#
#     plan.layout = SEENSET_LAYOUT_BLOOM;    {SEENSET_LAYOUT_BLOOM, ...}
#     [SEENSET_LAYOUT_BLOOM] = {...}
#
# Everything else fails: ==, <, case, and an argument of a call. So does a
# layout that is compared with a number. SEENSET_LAYOUT_DEFAULT is not a
# layout's number, but says that none is given.
set -eu
export LC_ALL=C

# "file: what is wrong with it", for each use that is not a value. Each file is
# judged as one line, without comments: what stands around an id is then on it.
check() {
    (cd "$1" && find src fronts -name '*.[ch]' ! -path 'src/table/*' | sort |
        xargs grep -lE 'SEENSET_LAYOUT_|layout' /dev/null | xargs awk '
        function judge(file, text,    all, id, before) {
            gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, " ", text)
            gsub(/SEENSET_LAYOUT_DEFAULT/, "NOT_GIVEN", text)
            gsub(/[ \t]+/, " ", text)
            all = text
            while (match(text, /SEENSET_LAYOUT_[A-Z_]+/)) {
                id = substr(text, RSTART, RLENGTH)
                before = substr(text, 1, RSTART - 1)
                text = substr(text, RSTART + RLENGTH)
                if (before !~ /([^=!<>]=|[{,\[]) ?$/ || text !~ /^ ?[;,}\]]/)
                    print file ": " id " is not only a value"
            }
            if (all ~ /layout\)? ?(==|!=|<|>|<=|>=) ?[0-9]/)
                print file ": a layout is compared with a number"
        }
        FNR == 1 && NR > 1 { judge(file, text) }
        FNR == 1 { file = FILENAME; text = "" }
        { text = text " " $0 }
        END { judge(file, text) }' /dev/null)
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check "$1" >"$work/found"
cat "$work/found"
[ ! -s "$work/found" ]
grep -rq SEENSET_LAYOUT_ "$1/src/plan" # there is something to find

# ---- planted: each way to compare is found ----

planted() {
    rm -rf "$work/planted"
    mkdir -p "$work/planted/fronts" "$work/planted/${2%/*}"
    cp "$1/$2" "$work/planted/$2"
    printf '%s\n' "$3" >>"$work/planted/$2"
    check "$work/planted" | grep -q "^$2: " || {
        echo "planted: not found in $2: $3"
        exit 1
    }
}
planted "$1" src/set/set.c 'int f(int x) { return x == SEENSET_LAYOUT_BLOOM; }'
planted "$1" src/set/set.c 'int f(int x) { return SEENSET_LAYOUT_BLOOM <= x; }'
planted "$1" src/file/view.c 'int f(int x) { return
    x > SEENSET_LAYOUT_BLOOM; }'
planted "$1" src/plan/rate.c '    case SEENSET_LAYOUT_SEALED:'
planted "$1" src/plan/rate.c 'int y = f(SEENSET_LAYOUT_SEALED);'
planted "$1" src/set/add.c 'int f(int layout) { return layout > 2; }'
