#!/bin/sh
# Adds up the test reports named (JUnit files that ctest wrote): one line
# "N passed, N failed", and before it, if any, how many were skipped.
# A test that could not even be started is a failed one, not a skipped one.
# Fails when a report is missing or says that no test ran.
set -eu

status=0
for report in "$@"; do
    shift
    if [ -s "$report" ]; then
        set -- "$@" "$report"
    else
        status=1
    fi
done

awk '
function number(name,    text) {
    if (!match($0, "[ \t\"]" name "=\"[0-9]+\""))
        return 0
    text = substr($0, RSTART, RLENGTH)
    gsub(/[^0-9]/, "", text)
    return text + 0
}
function take() {
    if ($0 ~ /(tests|failures|skipped|disabled)="[0-9]+"/) {
        tests += number("tests")
        failed += number("failures")
        skipped += number("skipped") + number("disabled")
    }
}
/<testsuite/ { inside = 1; suites++ }
inside { take() }
/<skipped message=/ && !/"(SKIP_|Disabled)/ { failed++; skipped-- }
inside && />/ { inside = 0 }
END {
    if (skipped > 0)
        printf "(%d skipped)\n", skipped
    printf "%d passed, %d failed\n", tests - failed - skipped, failed
    if (suites != ARGC - 1 || tests == 0)
        exit 1
}' "$@" </dev/null || status=1
exit "$status"
