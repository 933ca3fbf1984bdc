#!/bin/sh
# The types of the figures, which follow from fronts/figures/figures.h: between
# the lines "figures: begin" and "figures: end" of the stub of the Python module
# and of the types of the JavaScript one.
#
#     types.sh            writes them
#     types.sh --check    says what is not as it would be written
set -eu
cd "$(dirname "$0")/../.."
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

${CC:-cc} -std=c11 -Wall -Wextra -I fronts -o "$here/types" \
    fronts/figures/types.c

# written FILE LANGUAGE: the file as it has to be
written() {
    "$here/types" "$2" >"$here/new"
    awk -v new="$here/new" '
        /figures: end/ { is_inside = 0 }
        !is_inside { print }
        /figures: begin/ {
            is_inside = 1
            print ""
            while ((getline line < new) > 0)
                print line
        }' "$1"
}

status=0
check() {
    grep -q 'figures: begin' "$1"
    written "$1" "$2" >"$here/written"
    if [ "$mode" = --check ]; then
        diff -u "$1" "$here/written" || status=1
    else
        cat "$here/written" >"$1"
    fi
}
mode=${1:-}
check fronts/python/seenset/_native.pyi python
check fronts/web/module/seenset.d.ts typescript
[ $status -eq 0 ] || echo "run 'make types'"
exit $status
