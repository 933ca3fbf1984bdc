#!/bin/sh
# Builds for 64-bit ARM, and runs tests of what depends on the processor there:
# the NEON twins, seenset/extra/inline.h, the hashes, the threads, the bytes of files.
# The processor is qemu's, so it takes minutes, and says nothing about speed.
#
#     foreign.sh [TEST...]
#
# The libraries of that architecture are unpacked in build/arm64/root; nothing
# is installed in the system but the compiler and qemu.
set -eu
cd "$(dirname "$0")/.."
[ $# != 0 ] || set -- twins blocked split_block inline inline_words hash set \
    shared add_parallel fuse header file queue_damage
triple=aarch64-linux-gnu
build=$PWD/build/arm64
root=$build/root

unpack_libraries() {
    apt=$build/apt
    mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$root.new"
    : >"$apt/status"
    get="apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64
        -o Dir::State::Lists=$apt/lists -o Dir::State::status=$apt/status
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
[ -d "$root" ] || unpack_libraries

cat >"$build/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER $triple-gcc)
set(CMAKE_SYSROOT $root)
set(CMAKE_LIBRARY_ARCHITECTURE $triple)
set(CMAKE_FIND_ROOT_PATH $root)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
END
export PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_PATH=
export PKG_CONFIG_LIBDIR="$root/usr/lib/$triple/pkgconfig"
cmake --preset release -B "$build" \
    -DCMAKE_TOOLCHAIN_FILE="$build/toolchain.cmake" >/dev/null
failed=0
for test; do
    cmake --build "$build" --parallel "$(nproc)" --target "test_$test" \
        >"$build/log" 2>&1 || {
        cat "$build/log"
        exit 1
    }
    echo "== $test"
    qemu-aarch64 -L "$root" "$build/tests/test_$test" >"$build/log" 2>&1 ||
        failed=1
    grep -E 'PASSED|FAILED|ERROR|LINE' "$build/log"
done
exit $failed
