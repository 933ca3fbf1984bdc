#!/bin/sh
# seenset/extra/inline.h serves C and C++ callers, with each set of flags that this
# compiler has and this processor can run, without a warning: a program that
# uses it answers as one that uses the calls, and saves the same file.
#
#     inline.sh <build folder> <source folder>
set -eu
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LD_LIBRARY_PATH=$build
export LD_LIBRARY_PATH

cat >"$work/caller.c" <<'END'
#include <seenset/extra/inline.h>

static uint64_t key(uint64_t i)
{
#ifdef PLANTED
    return (i % 3 == 2 ? i / 2 : i) * 7 + (i == 4001);
#else
    return (i % 3 == 2 ? i / 2 : i) * 7;
#endif
}

static int add(seenset *set, const seenset_view *view, uint64_t i)
{
#ifdef CALLS
    uint64_t integer = key(i);
    (void)view;
    return i % 2 == 0 ? seenset_add(set, &integer, 8)
                      : seenset_add_hash(set, seenset_hash(&integer, 8));
#else
    (void)set;
    return i % 2 == 0
               ? seenset_inline_add_u64(view, key(i))
               : seenset_inline_add_hash(view, seenset_inline_mix(key(i)));
#endif
}

/* Half of the keys in a run. */
static int add_all(seenset *set, const seenset_view *view)
{
    for (uint64_t i = 0; i < 5000; i++)
        if (add(set, view, i) < 0)
            return 1;
#ifdef CALLS
    for (uint64_t i = 5000; i < 10000; i++)
        if (add(set, view, i) < 0)
            return 1;
#else
    seenset_inline_adder adder = seenset_inline_adder_start(view);
    for (uint64_t i = 5000; i < 10000; i++)
        if (seenset_inline_adder_add_u64(&adder, key(i)) < 0)
            return 1;
    seenset_inline_adder_end(&adder);
#endif
    return 0;
}

static int make(const char *path, uint64_t capacity_items)
{
    seenset *set;
    const seenset_view *view;
    seenset_options options = seenset_options();
    options.capacity_items = capacity_items;
    options.fp_rate = 1e-6;
    if (seenset_new(&set, &options) != 0 || seenset_get_view(set, &view) != 0)
        return 1;
    if (add_all(set, view) != 0)
        return 1;
    seenset_inline_looker looker = seenset_inline_looker_start(view);
    for (uint64_t i = 0; i < 10000; i++)
        if (seenset_inline_has_u64(view, key(i)) != 1 ||
            seenset_inline_looker_has_u64(&looker, key(i)) != 1)
            return 1;
    int error = seenset_save(set, path);
    seenset_free(set);
    return error;
}

int main(int argc, char **argv)
{
    return argc != 3 || make(argv[1], 20000) != 0 || make(argv[2], 1000) != 0;
}
END
# C has no constructors: an empty struct there is one that is all zeros.
sed 's/ = seenset_options()/ = {0}/' "$work/caller.c" >"$work/c.c"
cp "$work/caller.c" "$work/cpp.cpp"

# compiled NAME LANGUAGE FLAG...: false if the compiler has not the flags
compiled() {
    name=$1
    language=$2
    shift 2
    case $language in
    c) set -- "${CC:-cc}" -std=c11 "$@" "$work/c.c" ;;
    cpp) set -- "${CXX:-c++}" -std=c++11 "$@" "$work/cpp.cpp" ;;
    esac
    "$@" -Wall -Wextra -Wpedantic -Wconversion -Werror -I"$source/include" \
        -L"$build" -lseenset -o "$work/$name"
}

# Little-endian machines only: the calls are given the integers as they are.
compiled calls c -O2 -DCALLS
"$work/calls" "$work/large" "$work/grown"
ran=0
for language in c cpp; do
    command -v "${CXX:-c++}" >"$work/found" || [ $language = c ] || continue
    for flags in -O0 -O2 "-O2 -DSEENSET_INLINE_WORDS" "-O2 -mavx2" \
        "-O2 -mavx512f" "-O3 -march=native"; do
        case $flags in
        *-m*) grep -qw "$(echo "$flags" | sed 's/.*-m//; s/arch=native/flags/')" \
            /proc/cpuinfo 2>"$work/unknown" || continue ;;
        esac
        # shellcheck disable=SC2086 # several flags
        compiled inlined $language $flags
        "$work/inlined" "$work/large.inlined" "$work/grown.inlined"
        cmp "$work/large" "$work/large.inlined"
        cmp "$work/grown" "$work/grown.inlined"
        ran=$((ran + 1))
    done
done
[ "$ran" -ge 2 ] || { echo "only $ran programs ran" && exit 1; }

# The planted fault: one key that differs must be noticed.
compiled planted c -O2 -DPLANTED
"$work/planted" "$work/large.inlined" "$work/grown.inlined"
if cmp -s "$work/large" "$work/large.inlined"; then
    echo "the comparison can't fail: it missed a planted fault"
    exit 1
fi
echo "$ran programs save what the calls save"
