#!/bin/sh
# A program that was built before a field was added runs with the library that
# has it. The field takes a place of the reserve in options, and the end of the
# structs that are handed out.
#
#     growth.sh <build folder> <source folder>
#
# Needs libseenset.a of that build: the files that know the structs are compiled
# anew, and the others are taken from it.
set -eu
export LC_ALL=C
build=$1
source=$2
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
changed="set/options set/figures/info set/figures/stats set/figures/estimate
set/figures/figures set/figures/grown set/build_sealed file/open file/view file/read"

cat >"$work/program.c" <<'END'
#include <seenset/seenset.h>
#include <stdio.h>
#include <string.h>

static const seenset_options options = {.capacity_items = 1000,
                                        .fp_rate = 0.001};
static struct {
    seenset_info info;
    char after_info[64];
    seenset_table_info table;
    char after_table[64];
    seenset_stats stats;
    char after_stats[64];
} known;

static int is_whole(const char *guard)
{
    for (int i = 0; i < 64; i++)
        if (guard[i] != 'g')
            return 0;
    return 1;
}

int main(void)
{
    seenset *set = NULL, *opened = NULL;
    const seenset_open_options opening = {.flags = SEENSET_OPEN_COPY};
    memset(&known, 'g', sizeof known);
    int made = seenset_new(&set, &options);
    if (made != 0)
        return printf("new: %s\n", seenset_strerror(made)), 1;
    for (int i = 0; i < 500; i++)
        seenset_add(set, &i, sizeof i);
    int saved = seenset_save(set, "set");
    int found = seenset_open(&opened, "set", &opening);
    if (found != 0)
        return printf("open: %d %s\n", saved, seenset_strerror(found)), 1;
    seenset_get_info(opened, &known.info, sizeof known.info);
    seenset_get_table_info(opened, 0, &known.table, sizeof known.table);
    seenset_get_stats(opened, &known.stats, sizeof known.stats);
    printf("%d %llu %g\n", (int)known.info.layout,
           (unsigned long long)known.info.added_items, known.info.fp_rate);
    printf("%llu %d\n", (unsigned long long)known.table.size_bits,
           known.table.is_expired);
    printf("%llu %.3f %g\n", (unsigned long long)known.stats.set_bits,
           known.stats.fill, known.stats.overflow_bound);
    printf("%d%d%d\n", is_whole(known.after_info), is_whole(known.after_table),
           is_whole(known.after_stats));
    seenset_free(opened);
    seenset_free(set);
    return 0;
}
END

# One that knows the new fields, for either library.
cat >"$work/newer.c" <<'END'
#include <seenset/seenset.h>
#include <stdio.h>

int main(void)
{
    seenset *set = NULL;
    seenset_info info;
    const seenset_options plain = {.capacity_items = 1000};
    const seenset_options asking = {.capacity_items = 1000, .newer = 5};
    seenset_new(&set, &plain);
    seenset_get_info(set, &info, sizeof info);
    printf("%llu", (unsigned long long)info.newer);
    seenset_free(set);
    set = NULL;
    printf(" %d\n", seenset_new(&set, &asking));
    seenset_free(set);
    return 0;
}
END

# take_reserve HEADER: a field takes the first place of the reserve.
take_reserve() {
    left=$(sed -n 's/^    uint64_t reserved\[\([0-9]*\)\];.*/\1/p' "$1" |
        tail -n 1)
    sed -i "s/^    uint64_t reserved\[$left\];/    uint64_t newer;\n    \
uint64_t reserved[$((left - 1))];/" "$1"
}

# grow FOLDER: the sources with a field more in each struct.
grow() {
    mkdir "$1"
    cp -R "$source/include" "$source/src" "$1"
    take_reserve "$1/include/seenset/options.h"
    take_reserve "$1/include/seenset/file.h"
    sed -i 's/^} seenset_\(info\|table_info\|stats\);/    uint64_t newer;\n&/' \
        "$1/include/seenset/info.h"
    sed -i 's/^\( *\)\.is_checked = /\1.newer = 77,\n&/' "$1/src/set/figures/info.c"
    [ "$(grep -c '    uint64_t newer;' "$1/include/seenset/info.h")" = 3 ]
    grep -q 'newer = 77' "$1/src/set/figures/info.c"
}

# library FOLDER: its libseenset.so, next to what the build has of the rest.
library() {
    mkdir "$1/lib"
    cp "$build/libseenset.a" "$1/lib/rest.a"
    for file in $changed; do
        "$cc" -std=c11 -O1 -fPIC -fvisibility=hidden -I"$1/src" \
            -I"$1/include" -c "$1/src/$file.c" \
            -o "$1/lib/$(basename "$file").c.o"
    done
    # What is linked first counts: two files of the archive may have one name.
    "$cc" -shared -Wl,--allow-multiple-definition \
        -Wl,-soname,libseenset.so.1 -o "$1/lib/libseenset.so" \
        -Wl,--version-script="$build/seenset.map" "$1"/lib/*.o \
        -Wl,--whole-archive "$1/lib/rest.a" -Wl,--no-whole-archive -lm -pthread
    ln -s libseenset.so "$1/lib/libseenset.so.1"
}

# run PROGRAM LIBRARIES
run() {
    (cd "$work" && LD_LIBRARY_PATH=$2 "./$1") 2>&1
}

grow "$work/new"
library "$work/new"
"$cc" -std=c11 -I"$source/include" "$work/program.c" -L"$build" -lseenset \
    -o "$work/program"
"$cc" -std=c11 -I"$work/new/include" "$work/newer.c" -L"$work/new/lib" \
    -lseenset -o "$work/newer"
run program "$build" >"$work/before"
run program "$work/new/lib" >"$work/after"
cat "$work/before"
diff "$work/before" "$work/after"
[ "$(sed -n 4p "$work/after")" = 111 ]

# A newer program: its fields with the new library; with the old one zeros, and
# SEENSET_EINVAL for what that does not know.
[ "$(run newer "$work/new/lib")" = "77 0" ]
[ "$(run newer "$build")" = "0 -1" ]

# The planted fault: a field that is not from the reserve must be noticed.
grow "$work/planted"
sed -i 's/^typedef struct seenset_options {/&\n    uint64_t first;/' \
    "$work/planted/include/seenset/options.h"
library "$work/planted"
if run program "$work/planted/lib" >"$work/planted.out" &&
    cmp -s "$work/before" "$work/planted.out"; then
    echo "the comparison can't fail: it missed a planted fault"
    exit 1
fi
