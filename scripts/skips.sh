#!/bin/sh
# Prints each skipped test of a report (a JUnit file that ctest wrote), with the
# reason that it printed:
#
#     skips.sh tests.xml
set -eu
awk '
/<testcase / {
    name = $0
    sub(/.*<testcase name="/, "", name)
    sub(/".*/, "", name)
    skipped = /status="(notrun|disabled)"/
    reason = ""
}
skipped && /SKIPPED: / {
    reason = $0
    sub(/.*was not tested: /, "", reason)
    sub(/.*SKIPPED: /, "", reason)
    sub(/<.*/, "", reason)
}
/<\/testcase>/ && skipped {
    printf "skipped: %s: %s\n", name, reason == "" ? "no reason" : reason
    skipped = 0
}' "$1"
