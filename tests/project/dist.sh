#!/bin/sh
# The tarballs of `make dist` are the same when made twice. The one of sources
# holds each file of the commit that .gitattributes does not leave out; that it
# builds, without git, a network and the tests, is what `make reproducible` looks
# at: it builds from it. The other one has the core as two files.
#
#     dist.sh <source folder>
set -eu
export LC_ALL=C
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

top=$(git -C "$source" rev-parse --show-toplevel 2>/dev/null) || top=
if [ "$top" != "$(cd "$source" && pwd -P)" ]; then
    echo "SKIPPED: dist was not tested: this is not a git checkout"
    exit 77
fi

# Once as it is, and once by somebody else, elsewhere.
first=$("$source/scripts/dist.sh" "$work/first" 2>/dev/null | head -n 1)
git clone -q "$source" "$work/clone"
second=$(umask 077 && cd / && TZ=Asia/Tokyo \
    "$work/clone/scripts/dist.sh" "$work/second" 2>/dev/null | head -n 1)
cmp "$first" "$second"
version=$(basename "$first" .tar.gz | sed 's/^seenset-//')
two=seenset-amalgamation-$version
cmp "$work/first/$two.tar.gz" "$work/second/$two.tar.gz"
tar -t -f "$work/first/$two.tar.gz" | grep -v '/$' >"$work/packed"
printf "$two/%s\n" LICENSE embedding.md seenset.c seenset.h |
    diff - "$work/packed"

# unpack FOLDER: the tarball's one folder becomes it.
unpack() {
    mkdir "$1.tmp"
    tar -x -f "$first" -C "$1.tmp"
    mv "$1.tmp/seenset-$version" "$1"
    rmdir "$1.tmp"
}

# holds FOLDER: the files of the commit, but for what is left out, and no more.
git -C "$work/clone" ls-files |
    grep -v '^\.ci/\|^\.gitattributes$\|^\.gitignore$' |
    sort >"$work/committed"
holds() {
    (cd "$1" && find . -type f -o -type l) | sed 's,^\./,,' | sort |
        diff "$work/committed" -
}
unpack "$work/tree"
holds "$work/tree"

# Unpacked in a checkout of its own, it is still not one.
unpack "$work/clone/inside"
if "$work/clone/inside/scripts/dist.sh" "$work/third" >"$work/log" 2>&1; then
    echo "a tarball was made of an unpacked one"
    exit 1
fi
grep -q 'here is no git checkout' "$work/log"

# The planted fault: a file that is missing must be noticed.
rm "$work/tree/src/base/error.c"
if holds "$work/tree" >/dev/null; then
    echo "a tarball without src/base/error.c was not noticed"
    exit 1
fi
echo "seenset-$version.tar.gz is whole, $(wc -c <"$first") bytes"
