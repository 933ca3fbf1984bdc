#!/bin/bash
# Each claim of SECURITY.md and of docs/limits.md names the tests that hold it,
# and these exist: CTest lists them, tests/cli has them, or fuzz/ does.
#
#     claims.sh <build folder> <source folder>
#
# In SECURITY.md a claim is a row of a table, and its last cell has the names.
# In limits.md it is a point, at whose end a comment has them, or why nothing
# can be tested:
#
#     <!-- held by `merge`, `cli` (merge/says_what_differs) -->
#     <!-- no test: it is a call that does not exist -->
set -eu
export LC_ALL=C
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What there is: tests of CTest, and those of the command, COMMAND/TEST, which
# may be in a theme of the folder.
declare -A known=()
while read -r name; do
    known[$name]=1
done < <(
    ctest --test-dir "$build" -N | sed -n 's/^ *Test *#[0-9]*: *//p'
    find "$source/tests/cli" -name '*.sh' -printf '%P\n' |
        sed -n 's,^\([^/]*\)/\(.*/\)*\([^/]*\)$,tests/cli/\1/\3,p'
)

# take_names TEXT: each name of tests in it, into `names`: NAME or FOLDER/TEST.
# The parentheses are those of the name before them.
take_names() {
    local text=$1 pattern='`([^`]*)`(( \([^)]*\))*)' name rest target
    names=()
    while [[ $text =~ $pattern ]]; do
        name=${BASH_REMATCH[1]}
        rest=${BASH_REMATCH[2]//[(),]/ }
        text=${text#*"${BASH_REMATCH[0]}"}
        if [ "$name" = fuzz/ ]; then
            for target in $rest; do names+=("fuzz/fuzz_$target.c"); done
            [ -n "$rest" ] || names+=(fuzz/CMakeLists.txt)
        elif [ "$name" = cli ]; then
            names+=(cli)
            for target in $rest; do names+=("tests/cli/$target.sh"); done
        else
            names+=("$name")
        fi
    done
}

# exists NAME: as a test, or a file.
exists() {
    case $1 in
    tests/cli/*) [ -n "${known[$1]:-}" ] ;;
    */*) [ -e "$source/$1" ] ;;
    *) [ -n "${known[$1]:-}" ] ;;
    esac
}

# check_claim PAGE CLAIM TEXT: prints what is wrong with the names in the text.
check_claim() {
    local names name
    take_names "$3"
    [ ${#names[@]} -gt 0 ] || echo "$1: no test is named for: $2"
    for name in "${names[@]}"; do
        exists "$name" || echo "$1: there is no test $name, for: $2"
    done
}

# The rows of a table are those after its line of dashes.
check_security() {
    local rows=0 is_table=0 line claim
    while IFS= read -r line; do
        case $line in
        '|---'*) is_table=1 ;;
        '|'*)
            [ $is_table = 1 ] || continue
            rows=$((rows + 1))
            claim=${line#| }
            line=${line% |}
            check_claim SECURITY.md "${claim%% |*}" "${line##* | }"
            ;;
        *) is_table=0 ;;
        esac
    done <"$1"
    [ $rows -ge 20 ] || echo "SECURITY.md: only $rows rows were found"
}

# A point begins with "- " and goes on in lines that are indented.
check_limits() {
    local points=0 point comment
    while IFS= read -r point; do
        points=$((points + 1))
        comment=${point##*<!-- }
        case $point in
        *'<!-- no test: '?*' -->') ;;
        *'<!-- held by '*' -->')
            check_claim limits.md "${point%%<!--*}" "${comment%% -->*}"
            ;;
        *) echo "limits.md: no test is named for: $point" ;;
        esac
    done < <(awk '
        /^- / { if (point != "") print point; point = $0; next }
        /^  / && point != "" { sub(/^ +/, " "); point = point $0; next }
        { if (point != "") print point; point = "" }
        END { if (point != "") print point }' "$1")
    [ $points -ge 15 ] || echo "limits.md: only $points points were found"
}

check() {
    check_security "$1"
    check_limits "$2"
}

security=$source/SECURITY.md
limits=$source/docs/limits.md
wrong=$(check "$security" "$limits")
[ -z "$wrong" ] || { printf '%s\n' "$wrong" && exit 1; }

# planted WHAT EXPECTED: with a fault in a copy of a page, that line is printed.
planted() {
    check "$work/security" "$work/limits" | grep -q "$2" || {
        echo "it does not see $1"
        exit 1
    }
}
plant() { # PAGE SCRIPT
    cp "$security" "$work/security"
    cp "$limits" "$work/limits"
    sed "$2" "$work/$1" >"$work/changed"
    mv "$work/changed" "$work/$1"
}
plant security 's/`attack`/`atack`/'
planted "a test that does not exist" 'SECURITY.md: there is no test atack,'
plant security 's,dedup/bytes_are_bytes,dedup/bytes_are_text,'
planted "a test of the command that does not exist" \
    'there is no test tests/cli/dedup/bytes_are_text.sh,'
plant security 's/`fuse_build` |/none |/'
planted "a row without a test" 'SECURITY.md: no test is named for: Hashes made'
plant limits 's/<!-- held by .*//'
planted "a point without a test" 'limits.md: no test is named for: - '
plant limits 's/<!-- held by `/&no_/'
planted "a point whose test does not exist" 'limits.md: there is no test no_'
plant limits 's/<!-- no test: .* -->/<!-- no test:  -->/'
planted "a point without a reason" 'limits.md: no test is named for: - '
