#!/bin/sh
# Prints the table of docs/platforms.md: a row for each platform whose tests ran
# here, and why tests were skipped.
#
#     table.sh
#
# `make musl`, `make windows` and `make foreign` leave two files for each platform
# in build/platforms: NAME.row, its row, and NAME.skipped, a line "TEST: REASON"
# for each test that was skipped. The first row is of `make test`, by its report.
set -eu
cd "$(dirname "$0")/../.."
rows=build/platforms
report=build/release/tests.xml

native_row() {
    compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=.*\///p' \
        build/release/CMakeCache.txt)
    scripts/platforms/row.sh "Linux, glibc, $(uname -m)" "$compiler" \
        yes yes yes "$report"
}

echo '| platform | compiler | core | queue | command | run | passed | skipped |'
echo '|---|---|---|---|---|---|---|---|'
[ ! -s "$report" ] || native_row
for row in "$rows"/*.row; do
    [ ! -f "$row" ] || cat "$row"
done
for list in "$rows"/*.skipped; do
    [ -s "$list" ] || continue
    printf '\nSkipped, %s:\n\n' "$(basename "$list" .skipped)"
    sed 's/^/- /' "$list"
done
