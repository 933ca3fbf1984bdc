#!/bin/sh
# Builds seenset twice, as a distribution does (optimised, with -g), from two
# folders with other names, in another time zone and language, and compares
# what came out byte by byte: both libraries, static and shared, and seenset.
#
# Then it plants what makes builds differ (the time, the folder's name, an
# archive with dates) and fails unless each is noticed.
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

take_sources() {
    mkdir -p "$1"
    cp -R CMakeLists.txt cmake include src fronts docs completions "$1"
}

# make_in FOLDER UMASK ZONE LANGUAGE: builds there, in FOLDER/out.
make_in() (
    cd "$1"
    umask "$2"
    export TZ="$3" LC_ALL="$4"
    {
        CC=$cc CFLAGS=-g cmake -S . -B out -DCMAKE_BUILD_TYPE=Release \
            -DCMAKE_C_FLAGS_RELEASE="$level -DNDEBUG" \
            -DSEENSET_TESTS=OFF -DSEENSET_WERROR=OFF &&
            cmake --build out --parallel "${JOBS:-$(nproc)}" \
                --target seenset_static seenset_shared \
                seenset_queue_static seenset_queue_shared seenset_command
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

take_sources "$one"
take_sources "$two"
make_both
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
        cp CMakeLists.txt "$folder"
        cp cmake/flags.cmake "$folder/cmake"
        cp src/base/error.c "$folder/src/base"
    done
}

for folder in "$one" "$two"; do
    echo 'const char ss_planted[] = __TIME__;' >>"$folder/src/base/error.c"
done
catches "time"

for folder in "$one" "$two"; do
    echo 'const char ss_planted[] = PLANTED;' >>"$folder/src/base/error.c"
    cat >>"$folder/CMakeLists.txt" <<'END'
set_source_files_properties(src/base/error.c PROPERTIES
    COMPILE_DEFINITIONS "PLANTED=\"${PROJECT_SOURCE_DIR}\"")
END
done
catches "folder's name"

for folder in "$one" "$two"; do
    sed -i 's/qcD/qcU/; s/<CMAKE_RANLIB> -D/<CMAKE_RANLIB> -U/' \
        "$folder/cmake/flags.cmake"
done
catches "archive with dates"
