#!/bin/sh
# Who asks an operating system for what:
#
#   src/base/linux/   what only Linux, or glibc, has;
#   src/base/posix/   POSIX.1-2008, and src/base/posix.h its types. What macOS
#                     or a BSD has is asked for by that system's name, and flock
#                     in one file, disk.c;
#   src/base/windows/ Windows;
#   the queue's rooms (log, items, seen, url, queue)  C11, and of POSIX.1-2008
#                     threads, the flags of open, and addresses;
#   all else          nothing.
#
# For another system, those are the files to write.
#
#     platform.sh SOURCE_FOLDER
#
# In the other files of the core's rooms an include is of the project, of the
# C standard, of xxhash or of a processor's instructions; and no function of
# POSIX is called. The compiler has its say in posix.sh.
set -eu
export LC_ALL=C

rooms='base hash lines expand table plan set file'
queue_rooms='log items seen url queue'
standard='assert|errno|float|inttypes|limits|math|stdalign|stdarg|stdbool'
standard="$standard|stddef|stdint|stdio|stdlib|string|time"
processor='immintrin|nmmintrin|arm_neon|arm_acle|wasm_simd128'
queue_headers='fcntl|pthread|arpa/inet|uriparser/Uri|idn2|libpsl'
calls='open|openat|close|read|write|pread|pwrite|ftruncate|fsync|fdatasync'
calls="$calls|f?open|l?stat|fstat|mkdir|rename|remove|unlink|readlink|realpath"
calls="$calls|f?chmod|flock|fcntl|opendir|readdir|mmap|munmap|madvise|msync"
calls="$calls|mprotect|getrandom|getentropy|clock_gettime|gettimeofday|time"
calls="$calls|clock|nanosleep|usleep|sleep|sem_[a-z]+|thrd_[a-z]+"
calls="$calls|fork|getpid|sched_yield|sysconf|getenv|signal|sigaction|raise"
calls="$calls|dlopen"
threads='pthread_[a-z_]+'
timed='pthread_cond(attr_setclock|_timedwait)' # macOS has others

# What only Linux or glibc has, as words of a file.
only_linux='_GNU_SOURCE|_DEFAULT_SOURCE|_BSD_SOURCE|_SVID_SOURCE'
only_linux="$only_linux|__linux__|__GLIBC__|MAP_ANONYMOUS|MAP_NORESERVE"
only_linux="$only_linux|MAP_POPULATE|MAP_HUGETLB|MADV_[A-Z]+|madvise|mremap"
only_linux="$only_linux|CLOCK_BOOTTIME|CLOCK_MONOTONIC_[A-Z]+|O_PATH|O_TMPFILE"
only_linux="$only_linux|O_DIRECT|O_NOATIME|F_OFD_[A-Z]+|getrandom|getentropy"
only_linux="$only_linux|copy_file_range|sync_file_range|sendfile|fallocate"
only_linux="$only_linux|syncfs|renameat2|statx|memfd_create|eventfd|epoll_[a-z]+"
only_linux="$only_linux|inotify_[a-z_]+|syscall|gettid|pipe2|dup3|accept4"
only_linux="$only_linux|asprintf|vasprintf|mkostemp|qsort_r|memrchr|memmem"
only_linux="$only_linux|strchrnul|reallocarray|explicit_bzero|secure_getenv"
only_linux="$only_linux|sched_[gs]etaffinity|pthread_[gs]etaffinity_np"
only_linux="$only_linux|pthread_setname_np|program_invocation_name"

# The files of the core that may depend on no system.
portable() {
    for room in $rooms; do
        [ ! -d "$1/src/$room" ] || find "$1/src/$room" -name '*.[ch]'
    done | grep -vE '/src/base/(posix|linux|windows)/[a-z_]*\.[ch]$' |
        grep -v '/src/base/posix\.h$' | sort
}

# The files of the queue's rooms.
queue_files() {
    for room in $queue_rooms; do
        [ ! -d "$1/src/$room" ] || find "$1/src/$room" -name '*.[ch]'
    done | sort
}

# lines LIST EXPRESSION: those of the files in the list that have it, but for
# what a comment's line says.
lines() {
    xargs grep -HnE "$2" <"$1" /dev/null | grep -vE '^[^:]*:[0-9]*: \* ' || :
}

# called LIST CALLS: lines that call one of them, and not through a table.
called() {
    lines "$1" "(^|[^_.>[:alnum:]])($2)\("
}

# named LIST WORDS: lines that have one of the words, with nothing before it
# that makes it another.
named() {
    lines "$1" "(^|[^_[:alnum:]])($2)([^_[:alnum:]]|\$)"
}

# What they ask a system for, as FILE:LINE:TEXT.
found() {
    portable "$1" >"$work/files"
    queue_files "$1" >"$work/queue"
    {
        cat "$work/queue"
        find "$1/src/base/posix" -name '*.[ch]'
    } >"$work/standard"
    lines "$work/files" '^# *include *<' |
        grep -vE "<($standard|$processor|xxhash)\.h>" || :
    lines "$work/files" '_(GNU|DEFAULT|BSD|XOPEN|POSIX_C)_SOURCE'
    called "$work/files" "$calls|$threads"
    lines "$work/queue" '^# *include *<' |
        grep -vE "<($standard|$queue_headers)\.h>" || :
    lines "$work/queue" '_SOURCE' | grep -v '_POSIX_C_SOURCE 200809L' || :
    called "$work/queue" "openat|fcntl|creat|$timed"
    named "$work/standard" "$only_linux"
    grep -v '/posix/disk\.c$' "$work/standard" >"$work/no_disk" || :
    named "$work/no_disk" 'flock|LOCK_EX'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found "$1" >"$work/found"
if [ -s "$work/found" ]; then
    echo "an operating system is asked for what its place does not have:"
    sed "s|^$1/||" "$work/found"
    exit 1
fi
count=$(cat "$work/files" "$work/standard" | wc -l)
[ "$count" -gt 100 ] || {
    echo "only $count files were looked at"
    exit 1
}

# ---- planted: each kind is found, and what is allowed is not ----

planted=$work/planted/src
mkdir -p "$planted/base/posix" "$planted/base/linux" "$planted/base/windows" \
    "$planted/queue"
cat >"$planted/base/io.c" <<'END'
#include "base/io.h"
#include <string.h>
int ss_open(const ss_io *io) { return io->open(io->context); }
END
echo '#include <unistd.h>' >"$planted/base/posix/io.c"
echo '#include <windows.h>' >"$planted/base/windows/io.c"
echo '    return flock(fd, LOCK_EX);' >"$planted/base/posix/disk.c"
cat >"$planted/base/linux/pages.c" <<'END'
#define _GNU_SOURCE /* madvise */
    (void)madvise(block, size_bytes, MADV_HUGEPAGE);
END
cat >"$planted/queue/open.c" <<'END'
#define _POSIX_C_SOURCE 200809L /* threads */
#include <pthread.h>
/*
 * Linux has CLOCK_BOOTTIME.
 */
    pthread_mutex_lock(&queue->mutex);
END
[ -z "$(found "$work/planted")" ] || {
    echo "planted: what is allowed is found:"
    found "$work/planted"
    exit 1
}

# plant FILE LINE...: each line in the file is found.
plant() {
    file=$1
    shift
    for line; do
        echo "$line" >"$planted/$file"
        found "$work/planted" | grep -q "$file:" || {
            echo "planted: not found in $file: $line"
            exit 1
        }
    done
    rm "$planted/$file"
}
plant base/sort.c '#include <sys/mman.h>' '#define _GNU_SOURCE' \
    '    int fd = open(path, 0);' '    pthread_mutex_lock(&gate);' \
    '    return time(NULL);'
plant base/posix/map.c '#define _GNU_SOURCE /* MAP_NORESERVE */' \
    '    int flags = MAP_PRIVATE | MAP_ANONYMOUS;' '#ifdef __linux__' \
    '    return getentropy(bytes, size_bytes) == 0;' \
    '    return flock(fd, LOCK_EX | LOCK_NB);'
plant queue/push.c '#define _GNU_SOURCE /* threads */' '#include <sys/file.h>' \
    '    (void)pthread_condattr_setclock(&timed, CLOCK_MONOTONIC);' \
    '    int old = fcntl(fd, F_GETFL);' '    int fd = open(path, O_RDONLY | O_TMPFILE);'
echo "$count files ask no operating system for more than their place has"
