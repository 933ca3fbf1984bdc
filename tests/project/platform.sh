#!/bin/sh
# The core asks an operating system for anything in src/base/posix/ only,
# and names its types in src/base/posix.h only: for another system, those are
# the files to write anew.
#
#     platform.sh SOURCE_FOLDER
#
# In the other files of the core's rooms an include is of the project, of the
# C standard, of xxhash or of a processor's instructions; and no function of
# POSIX is called.
set -eu
export LC_ALL=C

rooms='base hash lines expand table plan set file'
standard='assert|errno|float|inttypes|limits|math|stdalign|stdarg|stdbool'
standard="$standard|stddef|stdint|stdio|stdlib|string|time"
processor='immintrin|nmmintrin|arm_neon|arm_acle|wasm_simd128'
calls='open|openat|close|read|write|pread|pwrite|ftruncate|fsync|fdatasync'
calls="$calls|f?open|l?stat|fstat|mkdir|rename|remove|unlink|readlink|realpath"
calls="$calls|f?chmod|flock|fcntl|opendir|readdir|mmap|munmap|madvise|msync"
calls="$calls|mprotect|getrandom|getentropy|clock_gettime|gettimeofday|time"
calls="$calls|clock|nanosleep|usleep|sleep|pthread_[a-z_]+|sem_[a-z]+|thrd_[a-z]+"
calls="$calls|fork|getpid|sched_yield|sysconf|getenv|signal|sigaction|raise"
calls="$calls|dlopen"

# The files of the core that may depend on no system.
portable() {
    for room in $rooms; do
        [ ! -d "$1/src/$room" ] || find "$1/src/$room" -name '*.[ch]'
    done | grep -v '/src/base/posix/[a-z_]*\.c$' |
        grep -v '/src/base/posix\.h$' | sort
}

# What they ask a system for, as FILE:LINE:TEXT.
found() {
    portable "$1" >"$work/files"
    xargs grep -HnE '^# *include *<' <"$work/files" |
        grep -vE "<($standard|$processor|xxhash)\.h>" || :
    xargs grep -HnE '_(GNU|DEFAULT|BSD|XOPEN|POSIX_C)_SOURCE' \
        <"$work/files" || :
    xargs grep -HnE "(^|[^_.>[:alnum:]])($calls)\(" <"$work/files" || :
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found "$1" >"$work/found"
if [ -s "$work/found" ]; then
    echo "outside of src/base/posix/ an operating system is asked for:"
    sed "s|^$1/||" "$work/found"
    exit 1
fi
count=$(wc -l <"$work/files")
[ "$count" -gt 50 ] || {
    echo "only $count files were looked at"
    exit 1
}

# ---- planted: each kind is found, and what is allowed is not ----

mkdir -p "$work/planted/src/base/posix" "$work/planted/src/queue"
cat >"$work/planted/src/base/io.c" <<'END'
#include "base/io.h"
#include <string.h>
int ss_open(const ss_io *io) { return io->open(io->context); }
END
echo '#include <unistd.h>' >"$work/planted/src/base/posix/io.c"
echo '#include <unistd.h>' >"$work/planted/src/queue/open.c"
[ -z "$(found "$work/planted")" ] || {
    echo "planted: what is allowed is found:"
    found "$work/planted"
    exit 1
}
for line in '#include <sys/mman.h>' '#define _GNU_SOURCE' \
    '    int fd = open(path, 0);' '    pthread_mutex_lock(&gate);' \
    '    return time(NULL);'; do
    echo "$line" >"$work/planted/src/base/sort.c"
    found "$work/planted" | grep -q sort.c || {
        echo "planted: not found: $line"
        exit 1
    }
done
echo "$count files ask no operating system for anything"
