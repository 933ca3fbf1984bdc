#!/bin/sh
# A program with both libraries as a system builds them that keeps POSIX.1-2008
# and no more: it compiles without any extension (the build's seenset_posix has
# -std=c11 -pedantic -D_POSIX_C_SOURCE=200809L), it calls nothing of what only
# Linux has, and it has what stands for that.
#
#     posix.sh PROGRAM
set -eu
export LC_ALL=C
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

linux='madvise|getentropy|getrandom|syscall|fallocate|mremap|renameat2'
linux="$linux|copy_file_range|asprintf|qsort_r|memrchr|reallocarray"

# Names that the program $1 asks the system for, and which only Linux has.
asked() {
    nm -u "$1" | awk '{ sub(/@.*/, "", $2); print $2 }' | grep -xE "$linux" || :
}
asked "$program" >"$work/asked"
[ ! -s "$work/asked" ] || {
    echo "only Linux has what the program calls:"
    cat "$work/asked"
    exit 1
}
nm "$program" >"$work/names"
for name in ss_pages_take ss_random_fill ss_disk_lock ss_wait_for; do
    grep -q " [Tt] $name\$" "$work/names" || {
        echo "the program has no $name: it is not what was meant"
        exit 1
    }
done

# compiles FLAG...: does the planted file?
compiles() {
    "${CC:-cc}" -std=c11 -pedantic -Wall -Werror "$@" -c "$work/planted.c" \
        -o "$work/planted.o" 2>/dev/null
}

# ---- planted: such a call does not compile, and is found where it does ----

while read -r header text; do
    printf '#include <%s>\nlong f(void *p);\nlong f(void *p)\n{\n%s\n}\n' \
        "$header" "return (long)p + $text;" >"$work/planted.c"
    compiles -D_GNU_SOURCE || {
        echo "planted: it does not even compile with extensions: $text"
        exit 1
    }
    ! compiles -D_POSIX_C_SOURCE=200809L || {
        echo "planted: it compiles: $text"
        exit 1
    }
done <<END
sys/mman.h MAP_NORESERVE
sys/mman.h madvise(p, 1, MADV_HUGEPAGE)
unistd.h getentropy(p, 1)
fcntl.h O_PATH
END
printf '#include <unistd.h>\nint main(void)\n{\n%s\n}\n' \
    'char c; return getentropy(&c, 1);' >"$work/planted.c"
"${CC:-cc}" -D_GNU_SOURCE "$work/planted.c" -o "$work/planted"
[ "$(asked "$work/planted")" = getentropy ] || {
    echo "planted: a call is not found"
    exit 1
}
