#!/bin/sh
# The manual pages are well formed and of this version; libseenset(3) names
# every public function, and nothing that is not public; and its example
# compiles, runs and prints what the page says.
#
#     manuals.sh <build folder> <source folder>
set -eu
export LC_ALL=C
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$source/docs/man/libseenset.3

# ---- the pages ----

# A page that the formatter has to warn of, or of another version, is not fit
# to install.
check_form() {
    version=$(sed -n 's/^#define SEENSET_VERSION "\(.*\)"$/\1/p' \
        "$source"/include/seenset/*.h)
    grep -q "^\.TH .*\"seenset $version\"" "$1" || {
        echo "$1: its first macro has no \"seenset $version\""
        return 1
    }
    command -v man >/dev/null || return 0
    MANWIDTH=80 man -l --warnings=w "$1" 2>"$work/warnings" >/dev/null
    ! grep . "$work/warnings"
}

# The names that the linker exports, and those that the page prints in bold.
check_names() {
    status=0
    for name in $(grep -ho '\bseenset_[a-z0-9_]*;' "$source"/src/*.map |
        tr -d ';'); do
        grep -qw "$name" "$1" || {
            echo "$1 does not name $name"
            status=1
        }
    done
    grep -oiw 'seenset_[a-z0-9_]*' "$1" | sort -u >"$work/named"
    while read -r name; do
        grep -rqw "$name" "$source/include/seenset" || {
            echo "$1 names $name, which is in no public header"
            status=1
        }
    done <"$work/named"
    return $status
}

# ---- the example ----

# example NUMBER: the text of that .EX block, as the page shows it.
example() {
    awk -v number="$1" '
        $0 == ".EE" { inside = 0 }
        inside { print }
        $0 == ".EX" { inside = ++count == number }' "$page" |
        sed 's/\\e/\\/g; s/\\-/-/g'
}

check_output() {
    diff "$1" "$2"
}

check_example() {
    example 1 >"$work/example.c"
    example 2 >"$work/expected"
    [ -s "$work/expected" ]
    "${CC:-cc}" -std=c11 -Wall -Wextra -Wconversion -Werror \
        "$work/example.c" -I"$source/include" -L"$build" -lseenset \
        -o "$work/example"
    cd "$work"
    LD_LIBRARY_PATH=$build ./example to be or not to be >first
    LD_LIBRARY_PATH=$build ./example to be or not to be >second
    check_output expected first
    [ ! -s second ]
}

# ---- planted faults ----

# planted CHECK SED: the page with that fault must fail the check.
planted() {
    sed "$2" "$page" >"$work/faulty.3"
    if cmp -s "$page" "$work/faulty.3" ||
        "$1" "$work/faulty.3" >"$work/log"; then
        echo "$1 missed a planted fault: $2"
        exit 1
    fi
}

for file in "$source"/docs/man/*.1; do
    case $(head -n 1 "$file") in
    .so*) [ -s "$source/docs/man/$(basename "$(head -n 1 "$file")")" ] ;;
    *) check_form "$file" ;;
    esac
done
check_form "$page"
check_names "$page"
check_example
planted check_form 's/^\.TH LIBSEENSET 3 "" "seenset [0-9]/&0/'
! command -v man >/dev/null || planted check_form 's/^\.ad l/.TPP/'
planted check_names 's/seenset_get_bits//'
planted check_names 's/seenset_get_bits/seenset_get_bits seenset_get_bit/'
echo "something else" >>"$work/first"
if check_output "$work/expected" "$work/first" >"$work/log"; then
    echo "check_output missed a planted fault"
    exit 1
fi
