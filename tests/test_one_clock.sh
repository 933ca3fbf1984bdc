#!/bin/sh
# Only src/base/clock.c and fronts/cli/clock.c ask the operating system for the time: what
# is asked elsewhere, no test can set.
#
#     test_one_clock.sh SOURCE_FOLDER
set -eu
calls='(^|[^_[:alnum:]])(clock_gettime|gettimeofday|timespec_get|time|clock)\('

# Files in which the time is asked for, under the folder $1.
askers() {
    grep -rlE --include='*.[ch]' "$calls" "$1/src" "$1/cli" | sort |
        sed "s|^$1/||"
}

# The check sees a call that was planted.
planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
mkdir "$planted/src" "$planted/cli"
echo 'long now = time(NULL);' >"$planted/src/add.c"
echo 'uint64_t runtime(void);' >"$planted/src/add.h"
[ "$(askers "$planted")" = src/set/add.c ] || {
    echo 'test_one_clock: it does not see a planted call' >&2
    exit 1
}

found=$(askers "$1")
[ "$found" = 'fronts/cli/clock.c
src/base/clock.c' ] || {
    echo "test_one_clock: the time is asked for in:" >&2
    echo "$found" >&2
    exit 1
}
