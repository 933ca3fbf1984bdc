#!/bin/sh
# Compares the binary interface of both libraries (their functions, what they
# take, every public struct's layout, every enum's numbers) with the one that
# programs were built against: abi/LIBRARY-1-<machine>.abi. What the core
# exports for the queue's library alone, and what is declared in seenset/extra/,
# is not compared.
#
#     abi.sh check      fails if a program built before would break
#     abi.sh refresh    writes the baselines again
#
# A check ends with planted faults: headers that break programs in four ways,
# each of which must be noticed.
set -eu
cd "$(dirname "$0")/.."
libraries="seenset seenset-queue"
work=$(mktemp -d "${TMPDIR:-/tmp}/seenset-abi.XXXXXX")
trap 'rm -rf "$work"' EXIT

baseline_of() {
    echo "abi/$1-1-$(uname -m).abi"
}

# Leaves out what the core exports without a promise, and where $1 is.
without_private() {
    sed "/<elf-symbol .*version='SEENSET_EXTRA_/d
        /<elf-symbol name='ss_/d; /<var-decl name='ss_.*elf-symbol-id/d
        /<function-decl name='ss_.*elf-symbol-id/,/<.function-decl>/d
        s:path='[./]*$(realpath "$1" | cut -c 2-)/:path=':"
}

# describe FOLDER OUT: the interfaces of the libraries built from the sources
# in FOLDER, as OUT/LIBRARY.abi, without what is private or differs from folder
# to folder.
describe() {
    mkdir -p "$2"
    {
        cmake -S "$1" -B "$work/build" --fresh -DCMAKE_BUILD_TYPE=Debug \
            -DSEENSET_TESTS=OFF -DSEENSET_COMMAND=OFF -DSEENSET_REDIS=OFF \
            -DSEENSET_WERROR=OFF -DSEENSET_HARDEN=OFF &&
            cmake --build "$work/build" --parallel "${JOBS:-$(nproc)}" \
                --target seenset_queue_shared
    } >"$work/log" 2>&1 || {
        cat "$work/log"
        exit 2
    }
    for library in $libraries; do
        abidw --headers-dir "$1/include" --suppressions abi/private.suppr \
            --drop-private-types --drop-undefined-syms \
            --exported-interfaces-only --no-corpus-path --no-comp-dir-path \
            --no-elf-needed --no-show-locs --no-parameter-names \
            --no-write-default-sizes --type-id-style hash \
            --out-file "$work/abi" "$work/build/lib$library.so"
        without_private "$1" <"$work/abi" >"$2/$library.abi"
    done
}

# breaks FOLDER LIBRARY: would programs break? A function more breaks nobody.
breaks() {
    ! abidiff --no-added-syms "$(baseline_of "$2")" "$1/$2.abi" \
        >"$work/changes"
}

check() {
    describe . "$work/now"
    for library in $libraries; do
        if breaks "$work/now" "$library"; then
            cat "$work/changes"
            echo "abi: programs built before would break; see CONTRIBUTING.md"
            exit 1
        fi
        echo "abi: as in $(baseline_of "$library")"
    done
}

# Of the core: a field more in the middle of a struct, another number in an
# enum, an argument of another size. Of the queue: a field more.
plant() {
    mkdir "$work/planted"
    cp -R CMakeLists.txt cmake include src fronts "$work/planted"
    sed -i 's/^    uint32_t table_count;/    uint64_t planted;\n&/' \
        "$work/planted/include/seenset/info.h"
    sed -i 's/SEENSET_LAYOUT_COUNTING = 3/SEENSET_LAYOUT_COUNTING = 5/' \
        "$work/planted/include/seenset/plan.h"
    sed -i 's/seenset_strerror(int error)/seenset_strerror(long error)/' \
        "$work/planted/include/seenset/error.h" "$work/planted/src/base/error.c"
    sed -i '/^typedef struct seenset_queue_stats {/a uint64_t planted_too;' \
        "$work/planted/include/seenset/queue_info.h"
    describe "$work/planted" "$work/broken"
    breaks "$work/broken" seenset || missed "anything"
    for change in planted SEENSET_LAYOUT_COUNTING seenset_strerror; do
        grep -q "$change" "$work/changes" || missed "$change"
    done
    breaks "$work/broken" seenset-queue || missed "anything of the queue"
    grep -q planted_too "$work/changes" || missed planted_too
    echo "abi: four planted faults found"
}

missed() {
    echo "abi: the comparison missed a planted fault: $1"
    exit 1
}

case ${1:-check} in
refresh)
    describe . "$work/now"
    for library in $libraries; do
        baseline=$(baseline_of "$library")
        cp "$work/now/$library.abi" "$baseline"
        echo "$baseline: $(grep -c '<elf-symbol ' "$baseline") functions"
    done
    ;;
check)
    for library in $libraries; do
        [ -s "$(baseline_of "$library")" ] || {
            echo "abi: not checked; there is no $(baseline_of "$library")"
            exit 0
        }
    done
    check
    plant
    ;;
esac
