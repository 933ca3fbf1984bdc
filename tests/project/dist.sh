#!/bin/sh
# The tarball of `make dist` is the same when made twice, and builds in an
# empty folder, without git, without a network and without the tests.
#
#     dist.sh <source folder>
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

top=$(git -C "$source" rev-parse --show-toplevel 2>/dev/null) || top=
if [ "$top" != "$(cd "$source" && pwd -P)" ]; then
    echo "this is not a git checkout: skipped"
    exit 77
fi

# Once as it is, and once by somebody else, elsewhere.
first=$("$source/scripts/dist.sh" "$work/first" 2>/dev/null)
git clone -q "$source" "$work/clone"
second=$(umask 077 && cd / && TZ=Asia/Tokyo \
    "$work/clone/scripts/dist.sh" "$work/second" 2>/dev/null)
cmp "$first" "$second"
version=$(basename "$first" .tar.gz | sed 's/^seenset-//')

# Where the system allows it, the build has no network.
alone=
! unshare -rn true 2>/dev/null || alone="unshare -rn"

# build FOLDER: configures and builds what is in it, as a packager does.
build() {
    $alone cmake -S "$1" -B "$1/out" -DCMAKE_BUILD_TYPE=Debug \
        -DSEENSET_TESTS=OFF &&
        $alone cmake --build "$1/out" --parallel 2
}

# unpack FOLDER: the tarball's one folder becomes it.
unpack() {
    mkdir "$1.tmp"
    tar -x -f "$first" -C "$1.tmp"
    mv "$1.tmp/seenset-$version" "$1"
    rmdir "$1.tmp"
}

unpack "$work/tree"
[ ! -e "$work/tree/.git" ]
build "$work/tree" >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
printf 'a\nb\na\n' | "$work/tree/out/seenset" dedup >"$work/unique"
printf 'a\nb\n' | cmp - "$work/unique"
"$work/tree/out/seenset" --version | grep -qF "$version"
[ -f "$work/tree/out/libseenset.so.1" ]

# Unpacked in a checkout of its own, it is still not one.
unpack "$work/clone/inside"
if "$work/clone/inside/scripts/dist.sh" "$work/third" >"$work/log" 2>&1; then
    echo "a tarball was made of an unpacked one"
    exit 1
fi
grep -q 'here is no git checkout' "$work/log"

# The planted fault: a file that is missing must be noticed.
unpack "$work/faulty"
rm "$work/faulty/src/base/error.c"
if build "$work/faulty" >/dev/null 2>&1; then
    echo "a tarball without src/base/error.c was not noticed"
    exit 1
fi
echo "seenset-$version.tar.gz builds, $(wc -c <"$first") bytes"
