#!/bin/sh
# Runs the tests of one preset, which must be built, and ends with the reason of
# each skipped one, the CPU time of all, and a line "N passed, N failed". The
# exit status is the tests' own.
#
#     test.sh PRESET [CTEST_OPTION...]
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
# One more than there are processors: some tests wait for a server or browser.
jobs=${TEST_JOBS:-$(($(nproc) + 1))}
report=build/$preset/tests.xml

# Tests save and sync thousands of times. What they check is the same on a disk
# in memory, where that takes seconds instead of minutes.
is_roomy() {
    [ "$(df -Pk "$1" | awk 'NR == 2 { print $4 }')" -ge 4194304 ] &&
        cp /bin/true "$1" && "$1/true"
}
make_folder() {
    folder=$(mktemp -d /dev/shm/seenset-XXXXXX 2>/dev/null) || folder=
    if [ -n "$folder" ] && is_roomy "$folder"; then
        echo "$folder"
    else
        rm -rf "$folder"
        mktemp -d
    fi
}
if [ -z "${TMPDIR:-}" ]; then
    TMPDIR=$(make_folder)
    export TMPDIR
    trap 'rm -rf "$TMPDIR"' EXIT
fi

rm -f "$report"
status=0
ctest --preset "$preset" --parallel "$jobs" "$@" \
    --output-junit "$PWD/$report" || status=$?
[ ! -s "$report" ] || scripts/skips.sh "$report"
# The second line of `times` is that of what ran: "1m2.3s 0m4.5s".
times >"$TMPDIR/times"
awk -F '[ms ]+' 'NR == 2 {
    printf "%.0f s of CPU time\n", $1 * 60 + $2 + $3 * 60 + $4
}' "$TMPDIR/times"
scripts/count.sh "$report" || status=1
exit "$status"
