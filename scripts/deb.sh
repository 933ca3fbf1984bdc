#!/bin/sh
# Builds the Debian packages from a copy of this tree, checks them, and leaves
# them in FOLDER:
#
#     deb.sh FOLDER
#
# The checks: lintian finds no error; no file is in two packages; and from an
# empty folder that they are unpacked into, the command runs and a program is
# compiled and runs.
set -eu
export LC_ALL=C
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
scripts/deps.sh deb
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

stop() {
    echo "deb: $1" >&2
    exit 1
}

# What git knows of, as it is now; from a tarball, all but what was built. A
# tarball may be unpacked in another checkout, whose files these are not.
copy_tree() {
    mkdir "$1"
    if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
        git ls-files -co --exclude-standard -z |
            tar -c --null -T - --ignore-failed-read 2>/dev/null
    else
        tar -c --exclude=./build .
    fi | tar -x -C "$1"
}

build_packages() {
    (cd "$1" && DEB_BUILD_OPTIONS="parallel=$(nproc)" \
        dpkg-buildpackage -us -uc -b) >"$folder/build.log" 2>&1 ||
        stop "the build failed, see $folder/build.log"
}

check_lintian() {
    lintian --no-cfg --allow-root --fail-on error "$@"
}

# unpack ROOT PACKAGE...: as on a machine without any other package.
unpack() {
    root=$1
    shift
    mkdir "$root"
    for package in "$@"; do
        dpkg-deb --contents "$package" | awk '$1 !~ /^d/ { print $6 }'
        dpkg-deb --extract "$package" "$root"
    done | sort | uniq -d >"$work/twice"
    [ ! -s "$work/twice" ] ||
        stop "in two packages: $(tr '\n' ' ' <"$work/twice")"
}

check_command() {
    printf 'a\nb\na\n' | "$1/usr/bin/seenset" dedup >"$work/unique"
    printf 'a\nb\n' | cmp - "$work/unique" || stop "the command is wrong"
}

# check_program ROOT MODULE SOURCE: a program of somebody else's, compiled
# against what is in ROOT. Its argument is a folder for a queue; it prints "new
# seen" and the library's version.
check_program() {
    libraries=$(dirname "$(find "$1/usr/lib" -name libseenset.so)")
    flags=$(PKG_CONFIG_PATH=$libraries/pkgconfig \
        pkg-config --cflags --libs "$2")
    # shellcheck disable=SC2086 # a list of words is meant
    cc "$3" $flags -Wl,-rpath-link,"$libraries" -o "$work/program"
    LD_LIBRARY_PATH=$libraries "$work/program" "$work/queue" >"$work/said" ||
        stop "a program with $2 failed"
    grep -q '^new seen ' "$work/said" || stop "$2 is wrong"
}

# The planted fault: lintian must refuse a package with a file in /usr/local.
check_that_lintian_sees() {
    dpkg-deb --raw-extract "$1" "$work/faulty"
    mkdir -p "$work/faulty/usr/local"
    echo "not here" >"$work/faulty/usr/local/file"
    dpkg-deb --build "$work/faulty" "$work/faulty.deb" >/dev/null
    if check_lintian "$work/faulty.deb" >/dev/null 2>&1; then
        stop "lintian missed a planted fault"
    fi
}

rm -f "$folder"/*
copy_tree "$work/seenset"
echo "deb: building, see $folder/build.log"
build_packages "$work/seenset"
mv "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$folder"
check_lintian "$folder"/*.changes
unpack "$work/root" "$folder"/*.deb
check_command "$work/root"
check_program "$work/root" seenset tests/project/consumer/core.c
check_program "$work/root" seenset-queue tests/project/consumer/queue.c
check_that_lintian_sees "$(ls "$folder"/seenset_*.deb)"
ls "$folder"/*.deb
