#!/bin/sh
# Prints a row of the table of docs/platforms.md, counted in a report of ctest.
#
#     row.sh PLATFORM COMPILER CORE QUEUE COMMAND REPORT
set -eu
"$(dirname "$0")/../count.sh" "$6" | tr -d '(),' | tr '\n' ' ' |
    awk -v begin="| $1 | $2 | $3 | $4 | $5 |" '{
        for (i = 2; i <= NF; i++)
            number[$i] = $(i - 1)
        printf "%s %d | %d | %d |\n", begin,
            number["passed"] + number["failed"], number["passed"],
            number["skipped"]
    }'
