#!/bin/sh
# Runs the tests of one preset, which must be built, and ends with a line
# "N passed, N failed". The exit status is the tests' own.
set -eu
cd "$(dirname "$0")/.."
preset=$1
jobs=${TEST_JOBS:-2}
report=build/$preset/tests.xml

rm -f "$report"
status=0
ctest --preset "$preset" --parallel "$jobs" \
    --output-junit "$PWD/$report" || status=$?
scripts/count.sh "$report" || status=1
exit "$status"
