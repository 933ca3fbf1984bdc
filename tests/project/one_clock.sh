#!/bin/sh
# Who asks the operating system for the time: for the library
# src/base/posix/clock.c, and for the time since the boot the platform's boot.c;
# fronts/cli/stream/clock.c for the command; fronts/python/native/pace.c for how
# long a piece of a batch took. A test can set the time that is asked there, and
# no other.
#
#     one_clock.sh SOURCE_FOLDER
set -eu
calls='(^|[^_[:alnum:]])(clock_gettime|gettimeofday|timespec_get|time|clock)\('

# Files in which the time is asked for, under the folder $1.
askers() {
    (cd "$1" && grep -rlE --include='*.[ch]' "$calls" src fronts | sort)
}

# The check sees a call that was planted.
planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
mkdir -p "$planted/src/set" "$planted/fronts"
echo 'long now = time(NULL);' >"$planted/src/set/add.c"
echo 'uint64_t runtime(void);' >"$planted/src/set/add.h"
[ "$(askers "$planted")" = src/set/add.c ] || {
    echo 'one_clock: it does not see a planted call' >&2
    exit 1
}

found=$(askers "$1")
[ "$found" = 'fronts/cli/stream/clock.c
fronts/python/native/pace.c
src/base/linux/boot.c
src/base/posix/boot.c
src/base/posix/clock.c' ] || {
    echo "one_clock: the time is asked for in:" >&2
    echo "$found" >&2
    exit 1
}
