#!/bin/sh
# Builds for other processors, and runs the tests of four rooms there: api,
# unit, hostile and vectors (tests/foreign.cmake). Then files cross: each machine
# makes a set of every kind and the golden files of all versions, and all have
# the same bytes, and give the same answers for 100,000 keys on each.
#
#     foreign.sh [ARCH...]         those named, or all of the table
#     foreign.sh --files [ARCH...] the files alone, with the core as the two
#                                  files of `make amalgamation`: a minute
#     foreign.sh --sanitize i386   only the rooms api and hostile, under the
#                                  address and the undefined sanitizer. i386 has
#                                  this after its tests, too
#
# Processors are played by qemu, which says nothing about speed and is 10 to 60
# times slower. So there the tests make few rounds of what is alike, and leave
# out what counts by the million: the label measures, and what calls
# test_leave_to_real_machines (tests/support/support.h). Programs for i386 run on
# this kernel, and all of them, unless it takes only those of 64 bits: then qemu
# plays i386 as well, and the sanitizers, which do not run there, are left out.
# The libraries of an architecture are unpacked in build/ARCH/root; nothing is
# installed in the system but compilers and qemu. It ends with a table: tests
# run, passed, skipped.
set -eu
cd "$(dirname "$0")/../.."

# Debian's name, the triples of its libraries and of its compiler, CMake's name
# of the processor, what plays it.
table() {
    cat <<END
s390x s390x-linux-gnu s390x-linux-gnu s390x qemu-s390x
i386 i386-linux-gnu i686-linux-gnu i686 -
armhf arm-linux-gnueabihf arm-linux-gnueabihf armv7l qemu-arm
arm64 aarch64-linux-gnu aarch64-linux-gnu aarch64 qemu-aarch64
riscv64 riscv64-linux-gnu riscv64-linux-gnu riscv64 qemu-riscv64
END
}

# Debian 12 has a compiler for riscv64 and no packages: files only.
has_packages() {
    [ "$1" != riscv64 ]
}

# Does this kernel run programs of 32 bits, of the compiler that was chosen? A
# host may have that off.
runs_i386() {
    probe=$PWD/build/platforms/probe
    echo 'int main(void) { return 0; }' |
        "$compiler-gcc" -x c - -static -o "$probe"
    "$probe" 2>/dev/null
}

# choose ARCH: its row, as variables, and where it is built
choose() {
    row=$(table | grep "^$1 ") || {
        echo "foreign: $1 is not one of" $(table | cut -d ' ' -f 1) >&2
        exit 2
    }
    # shellcheck disable=SC2086 # a list of words is meant
    set -- $row
    arch=$1 triple=$2 compiler=$3 processor=$4 player=$5
    build=$PWD/build/$arch
    root=$build/root
    [ "$player" != - ] || runs_i386 || player=qemu-i386
}

# The part of this machine's lists that has this Debian.
mirror() {
    apt-get indextargets --format '$(SITE)' "Codename: bookworm" \
        "Component: main" | head -n 1
}

unpack_libraries() {
    apt=$build/apt
    mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$root.new"
    : >"$apt/status"
    echo "deb $(mirror) bookworm main" >"$apt/sources.list"
    get="apt-get -qq -o APT::Architecture=$arch -o APT::Architectures=$arch
        -o Dir::State::Lists=$apt/lists -o Dir::State::status=$apt/status
        -o Dir::Etc::SourceList=$apt/sources.list
        -o Dir::Etc::SourceParts=/dev/null
        -o Dir::Cache=$apt -o Debug::NoLocking=1 -o APT::Sandbox::User=root"
    $get update
    $get install --yes --no-install-recommends --download-only libc6-dev \
        libgcc-12-dev libxxhash-dev liburiparser-dev libidn2-dev \
        libsodium-dev libmd-dev libpng-dev libcmocka-dev \
        zlib1g-dev libzstd-dev liblzma-dev libyajl-dev \
        libcurl4-gnutls-dev >"$apt/log"
    for package in "$apt"/archives/*.deb; do
        dpkg-deb -x "$package" "$root.new"
    done
    # links that begin at / would lead out of it
    find "$root.new/usr/lib/$triple" -maxdepth 1 -type l -lname '/*' |
        while read -r link; do
            ln -sf "../../..$(readlink "$link")" "$link"
        done
    mv "$root.new" "$root"
}

# What stands before a program's name to run it, as a list of CMake's. The
# sanitizers' libraries come with the compiler. Each function of a hardened
# program signs its return address on ARM: qemu's quick way to compute that is
# one that a processor may have, and the other takes eight times as long.
runner() {
    asan=$(readlink -f "$("$compiler-gcc" -print-file-name=libasan.so)")
    libraries=$root/lib/$triple:$root/usr/lib/$triple:${asan%/*}
    case $player in
    -) echo "$root/lib/ld-linux.so.2;--library-path;$libraries" ;;
    qemu-aarch64) echo "$player;-cpu;max,pauth-impdef=on;-L;$root" ;;
    *) echo "$player;-L;$root" ;;
    esac
}

# configure PRESET: of CMakePresets.json
configure() {
    mkdir -p "$build"
    cat >"$build/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $processor)
set(CMAKE_C_COMPILER $compiler-gcc)
set(CMAKE_SYSROOT $root)
set(CMAKE_LIBRARY_ARCHITECTURE $triple)
set(CMAKE_FIND_ROOT_PATH $root)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR "$(runner)")
END
    PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_PATH='' \
        PKG_CONFIG_LIBDIR="$root/usr/lib/$triple/pkgconfig" \
        cmake --preset "$1" -B "$build" \
        -DCMAKE_TOOLCHAIN_FILE="$build/toolchain.cmake" >"$build/log" 2>&1 ||
        stop_with_log
}

stop_with_log() {
    cat "$build/log" >&2
    exit 1
}

# run_rooms NAME PLATFORM ROOMS LABELS: builds and runs the tests of rooms in
# $build, but those of labels, and notes the row NAME of the table.
run_rooms() {
    targets=$(echo "$3" | tr '|' '\n' | sed 's/^/foreign_/')
    # shellcheck disable=SC2086 # a list of words is meant
    cmake --build "$build" --parallel "$(nproc)" --target $targets \
        >"$build/log" 2>&1 || stop_with_log
    rm -f "$build/tests.xml"
    ctest --test-dir "$build" --label-regex "^($3)\$" --label-exclude "^($4)\$" \
        --parallel "$(nproc)" --timeout 3000 \
        --output-junit "$build/tests.xml" >"$build/log" || {
        failed=1
        grep -E '\*\*\*' "$build/log" || :
    }
    scripts/skips.sh "$build/tests.xml" | sed 's/^skipped: //' |
        tee "$PWD/build/platforms/$1.skipped"
    scripts/platforms/row.sh "$2" "$compiler-gcc" yes yes no \
        "$build/tests.xml" >"$PWD/build/platforms/$1.row"
    echo "$1: $(scripts/count.sh "$build/tests.xml" | tr '\n' ' ')" >>"$rows"
}

run_tests() {
    [ -d "$root" ] || unpack_libraries
    configure release
    left_out=none
    [ "$player" = - ] || left_out=measures
    run_rooms "$arch" "Linux, glibc, $arch" 'api|unit|hostile|vectors' $left_out
}

# What the preset asan leaves out is left out here.
run_sanitized() {
    [ -d "$root" ] || unpack_libraries
    build=$build-asan
    configure asan
    run_rooms "$arch-asan" "Linux, glibc, $arch, ASan and UBSan" 'api|hostile' \
        'huge|source|measures|budget|commands'
}

# ---- files ----

# play PROGRAM ARGUMENT...: on the chosen machine; "native" is this one.
play() {
    program=$here/$1
    shift
    case $player in
    - | native) "$program" "$@" ;;
    *) "$player" "$program" "$@" ;;
    esac
}

# compile ARGUMENT...: for the chosen machine, and no warning.
compile() {
    "$cc" -std=c11 -O1 -Wall -Wextra -Werror -static -Iinclude "$@" -pthread
}

# readme LANGUAGE: README's program, or what it prints.
readme() {
    sh -c 'source=. && . tests/project/pages/block.sh && block "$1"' sh "$1"
}

# The core as one file, and with it README's program and the one that makes files.
make_files() {
    here=$files/$arch
    rm -rf "$here"
    mkdir -p "$here/made"
    compile -c build/release/amalgamation/seenset.c -o "$here/seenset.o"
    compile "$files/readme.c" "$here/seenset.o" -lm -o "$here/readme"
    compile tests/vectors/exchange.c "$here/seenset.o" -lm -o "$here/exchange"
    play readme | cmp - "$files/readme.txt" || failed=1
    play exchange make "$here/made"
}

# differs_in_digits A B: in nothing but the checksum of the header, bytes 121 to
# 128, and the last two bytes of a double in it. The C library of i386 computes
# exp and log by the x87, so a table's rate, a number for people, may have other
# last digits.
differs_in_digits() {
    [ "$arch" = i386 ] && cmp -l "$1" "$2" | awk '
        $1 > 120 && $1 <= 128 || $1 > 144 && $1 < 1024 && ($1 - 1) % 8 < 2 {
            next
        }
        { exit 1 }'
}

# Has this machine made other bytes than this processor?
compare_made() {
    same=0 digits=0 other=0
    for file in "$files"/native/made/*; do
        if cmp -s "$file" "$files/$arch/made/${file##*/}"; then
            same=$((same + 1))
        elif differs_in_digits "$file" "$files/$arch/made/${file##*/}"; then
            digits=$((digits + 1))
            echo "$arch: ${file##*/} has a rate with other last digits"
        else
            other=$((other + 1))
            echo "$arch: ${file##*/} has other bytes"
        fi
    done
    echo "$arch: $same files made with the same bytes, $digits but for the last" \
        "digits of a rate, $other others" >>"$rows"
    [ $other = 0 ] || failed=1
}

# The files of every machine and the golden ones, as the chosen one reads them.
ask_files() {
    here=$files/$arch
    play exchange ask "$files"/*/made/*.seenset \
        tests/vectors/golden/v*.seenset >"$here/answers" || failed=1
}

cross_files() {
    files=$PWD/build/exchange
    scripts/build.sh release seenset_amalgamation >/dev/null
    arch=native player=native cc=${CC:-cc}
    rm -rf "$files"
    mkdir -p "$files"
    readme c >"$files/readme.c"
    readme text >"$files/readme.txt"
    make_files
    for name; do
        choose "$name"
        cc=$compiler-gcc
        make_files
        compare_made
    done
    arch=native player=native
    ask_files
    for name; do
        choose "$name"
        ask_files
        cmp "$files/native/answers" "$files/$arch/answers" || failed=1
        echo "$arch: $(wc -l <"$files/$arch/answers") files asked for" \
            "100,000 keys each" >>"$rows"
    done
}

failed=0
only=
case ${1:-} in
--files | --sanitize)
    only=${1#--}
    shift
    ;;
esac
# shellcheck disable=SC2046 # names without spaces
[ $# != 0 ] || set -- $(table | cut -d ' ' -f 1)
mkdir -p build/platforms
rows=$PWD/build/foreign.txt
: >"$rows"
for name; do
    [ "$only" != files ] || break
    choose "$name"
    echo "== $arch"
    if ! has_packages "$arch"; then
        echo "$arch: its tests need packages that Debian 12 lacks"
        continue
    fi
    [ -n "$only" ] || run_tests
    case $player in
    -) run_sanitized ;;
    qemu-i386)
        echo "$arch: no sanitizers: this kernel runs no programs of 32 bits"
        ;;
    esac
done
if [ "$only" != sanitize ]; then
    echo "== files"
    cross_files "$@"
fi
echo "== result"
cat "$rows"
exit $failed
