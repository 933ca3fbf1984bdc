#!/bin/sh
# Builds seenset twice, as a distribution does (optimised, with -g), from two
# folders with other names, in another time zone and language, and compares
# what came out byte by byte: both libraries, static and shared, and seenset.
#
# The first folder is the tarball of `make dist`, which has to build without
# git, without a network and without the tests. Where something is not
# committed, or this is not a checkout, both are copies of what is here.
#
# Then it plants what makes builds differ (the time, the folder's name, an
# archive with dates), and takes a file out of the tarball, and fails unless
# each is noticed.
#
# LEVEL is how much the compiler optimises: -O3, as it is installed, or -O1, which
# takes half of the time and differs for the same reasons.
set -eu
cd "$(dirname "$0")/.."
cc=${CC:-cc}
level=${LEVEL:--O3}
work=$(mktemp -d "${TMPDIR:-/tmp}/seenset-reproducible.XXXXXX")
trap 'rm -rf "$work"' EXIT
one=$work/one
two="$work/another folder/of a longer name"

products="libseenset.a libseenset.so libseenset-queue.a libseenset-queue.so
    seenset"

# Where the system allows it, a build has no network.
alone=
! unshare -rn true 2>/dev/null || alone="unshare -rn"

copy_sources() {
    mkdir -p "$1"
    cp -R CMakeLists.txt cmake include src fronts docs completions "$1"
}

# Is all that is here in the last commit, and so in the tarball?
is_committed() {
    [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] &&
        [ -z "$(git status --porcelain)" ]
}

unpack_sources() {
    tarball=$(scripts/dist.sh "$work" sources)
    mkdir -p "$1"
    tar -x -f "$tarball" --strip-components 1 -C "$1"
    [ ! -e "$1/.git" ]
    echo "the first is from $(basename "$tarball")"
}

# make_in FOLDER UMASK ZONE LANGUAGE: builds there, in FOLDER/out.
make_in() (
    cd "$1"
    umask "$2"
    export TZ="$3" LC_ALL="$4"
    {
        CC=$cc CFLAGS=-g $alone cmake -S . -B out \
            -DCMAKE_BUILD_TYPE=Release \
            -DCMAKE_C_FLAGS_RELEASE="$level -DNDEBUG" \
            -DSEENSET_TESTS=OFF -DSEENSET_WERROR=OFF &&
            $alone cmake --build out --parallel "${JOBS:-$(nproc)}"
    } >"$work/log" 2>&1 || {
        cat "$work/log"
        exit 2
    }
)

make_both() {
    make_in "$one" 022 UTC C
    make_in "$two" 077 Asia/Tokyo C.UTF-8
}

# differing: the files that differ, each after a blank.
differing() {
    for file in $products; do
        cmp -s "$one/out/$file" "$two/out/$file" || printf ' %s' "$file"
    done
}

# What was built from $one is the command of this version, and works.
check_command() {
    printf 'a\nb\na\n' | "$one/out/seenset" dedup >"$work/unique"
    printf 'a\nb\n' | cmp - "$work/unique"
    version=$(sed -n 's/^#define SEENSET_VERSION "\(.*\)"/\1/p' \
        include/seenset/base.h)
    "$one/out/seenset" --version | grep -qF "$version"
    [ -f "$one/out/libseenset.so.1" ]
}

if is_committed; then
    unpack_sources "$one"
else
    echo "both are from this folder, which is not as committed"
    copy_sources "$one"
fi
copy_sources "$two"
make_both
check_command
different=$(differing)
if [ -n "$different" ]; then
    echo "two builds differ in:$different"
    exit 1
fi
echo "two builds are the same, byte by byte:"
# shellcheck disable=SC2086 # a list of words is meant
(cd "$one/out" && sha256sum $products)

# ---- planted faults --------------------------------------------------------

# catches NAME: what was changed in both folders makes the builds differ.
catches() {
    make_both
    different=$(differing)
    [ -n "$different" ] || {
        echo "the comparison missed a planted fault: $1"
        exit 1
    }
    echo "planted $1: noticed in$different"
    for folder in "$one" "$two"; do
        cp cmake/flags.cmake "$folder/cmake"
        cp src/base/error.c "$folder/src/base"
    done
}

for folder in "$one" "$two"; do
    echo 'const char ss_planted[] = __TIME__;' >>"$folder/src/base/error.c"
done
catches "time"

# Not by a definition of the compiler's, after which all would be built again.
for folder in "$one" "$two"; do
    echo "const char ss_planted[] = \"$folder\";" >>"$folder/src/base/error.c"
done
catches "folder's name"

for folder in "$one" "$two"; do
    sed -i 's/qcD/qcU/; s/<CMAKE_RANLIB> -D/<CMAKE_RANLIB> -U/' \
        "$folder/cmake/flags.cmake"
done
catches "archive with dates"

rm "$one/src/base/error.c"
if (make_in "$one" 022 UTC C) >/dev/null; then
    echo "sources without src/base/error.c were built"
    exit 1
fi
echo "planted hole in the sources: noticed"
