#!/bin/sh
# Compares the binary interface of libseenset.so (its functions, what they
# take, every public struct's layout, every enum's numbers) with the one that
# programs were built against: abi/seenset-0-<machine>.abi.
#
#     abi.sh check      fails if a program built before would break
#     abi.sh refresh    writes the baseline again
#
# A check ends with planted faults: a header that breaks programs in three
# ways, each of which must be noticed.
set -eu
cd "$(dirname "$0")/.."
baseline=abi/seenset-0-$(uname -m).abi
work=$(mktemp -d "${TMPDIR:-/tmp}/seenset-abi.XXXXXX")
trap 'rm -rf "$work"' EXIT

# describe FOLDER ABI: the interface of the library built from the sources in
# FOLDER, without what is private or differs from folder to folder.
describe() {
    {
        cmake -S "$1" -B "$work/build" --fresh -DCMAKE_BUILD_TYPE=Debug \
            -DSEENSET_TESTS=OFF &&
            cmake --build "$work/build" --parallel "${JOBS:-$(nproc)}" \
                --target seenset_shared
    } >"$work/log" 2>&1 || {
        cat "$work/log"
        exit 2
    }
    abidw --headers-dir "$1/include" --suppressions abi/private.suppr \
        --drop-private-types --drop-undefined-syms --exported-interfaces-only \
        --no-corpus-path --no-comp-dir-path --no-elf-needed --no-show-locs \
        --no-parameter-names --no-write-default-sizes --type-id-style hash \
        --out-file "$work/abi" "$work/build/libseenset.so"
    sed "s:path='$(realpath "$1")/:path=':" "$work/abi" >"$2"
}

# A function more breaks nobody.
breaks() {
    ! abidiff --no-added-syms "$baseline" "$1" >"$work/changes"
}

check() {
    describe . "$work/now.abi"
    if breaks "$work/now.abi"; then
        cat "$work/changes"
        echo "abi: programs built before would break; see CONTRIBUTING.md"
        exit 1
    fi
    echo "abi: as in $baseline"
}

# A field more in the middle of a struct, another number in an enum, an
# argument of another size.
plant() {
    mkdir "$work/planted"
    cp -R CMakeLists.txt cmake include src fronts "$work/planted"
    sed -i 's/^    uint32_t table_count;/    uint64_t planted;\n&/' \
        "$work/planted/include/seenset/info.h"
    sed -i 's/SEENSET_LAYOUT_COUNTING = 3/SEENSET_LAYOUT_COUNTING = 5/' \
        "$work/planted/include/seenset/plan.h"
    sed -i 's/seenset_strerror(int error)/seenset_strerror(long error)/' \
        "$work/planted/include/seenset/error.h" "$work/planted/src/base/error.c"
    describe "$work/planted" "$work/planted.abi"
    breaks "$work/planted.abi" || missed "anything"
    for change in planted SEENSET_LAYOUT_COUNTING seenset_strerror; do
        grep -q "$change" "$work/changes" || missed "$change"
    done
    echo "abi: three planted faults found"
}

missed() {
    echo "abi: the comparison missed a planted fault: $1"
    exit 1
}

case ${1:-check} in
refresh)
    describe . "$baseline"
    echo "$baseline: $(grep -c '<elf-symbol ' "$baseline") functions"
    ;;
check)
    if [ ! -s "$baseline" ]; then
        echo "abi: not checked; no baseline for this machine: $baseline"
        exit 0
    fi
    check
    plant
    ;;
esac
