#!/bin/sh
# The benchmark of two builds runs: on one build twice, and on builds that
# differ. No time decides.
#
#     bench_ab.sh BENCH_AB LIBRARY SOURCE
#
# LIBRARY is libseenset.so. The other builds are libraries on top of it that
# have some calls of their own: names are looked up in them first.
set -eu
export LC_ALL=C
bench=$1
library=$2
source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/other.c" <<'END'
#include <seenset/seenset.h>

#ifdef FORGETS
SEENSET_API int seenset_has(const seenset *set, const void *key, size_t len)
{
    return set != NULL && len > 0 && *(const unsigned char *)key != 7;
}
#else
SEENSET_API int seenset_new(seenset **out, const seenset_options *options)
{
    (void)options;
#ifdef OTHERWISE
    return seenset_build_sealed_hashes(out, NULL, NULL, 0, NULL, NULL);
#else
    *out = NULL;
    return SEENSET_EUNSUPPORTED;
#endif
}
#endif
END

# other NAME [OPTION...]: makes NAME.so
other() {
    name=$1
    shift
    "${CC:-cc}" -std=c11 -shared -fPIC "$@" -I"$source/include" \
        "$work/other.c" -Wl,--no-as-needed "$library" \
        -Wl,-rpath,"$(dirname "$library")" -o "$work/$name.so"
}

# refused TEXT OLD NEW: it must end with that message.
refused() {
    if "$bench" "$2" "$3" 1 2000 >"$work/out" 2>&1; then
        echo "$1: it must not pass"
        exit 1
    fi
    grep -q "$1" "$work/out" || { cat "$work/out" && exit 1; }
}

"$bench" "$library" "$library" 1 2000 >"$work/out"
# each kind of set with each call, a ratio and two times
rows=$(awk 'NF > 6 && $(NF - 6) ~ /^(add|has)/ && $(NF - 5) > 0 &&
    $(NF - 1) > 0 && $NF > 0 { rows++ } END { print rows + 0 }' "$work/out")
[ "$rows" = $((7 * 8)) ] || { echo "$rows rows" && cat "$work/out" && exit 1; }

# a build without such sets
other without
"$bench" "$library" "$work/without.so" 1 2000 >"$work/out"
[ "$(grep -c 'not in both builds' "$work/out")" = $((7 * 4)) ]

# planted: a build that forgets keys, and one that makes other sets
other forgets -DFORGETS
refused 'a key that was added is not seen' "$library" "$work/forgets.so"
other otherwise -DOTHERWISE
refused 'has other options' "$work/otherwise.so" "$library"
refused 'there is no such file' "$library" "$work/none.so"
echo 'int main(void) { return 0; }' >"$work/empty.c"
"${CC:-cc}" -shared -fPIC "$work/empty.c" -o "$work/empty.so"
refused 'is not libseenset' "$work/empty.so" "$library"
