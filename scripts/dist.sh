#!/bin/sh
# Makes two tarballs of the last commit: its sources, FOLDER/seenset-VERSION.tar.gz,
# and the core as two files, FOLDER/seenset-amalgamation-VERSION.tar.gz:
#
#     dist.sh FOLDER [sources]        with "sources" the first alone
#
# One commit gives the same bytes each time, in any folder: files are in the
# order of their names, belong to root, and have the date of the commit.
set -eu
export LC_ALL=C
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

# A tarball may be unpacked in a checkout, and is not one itself.
[ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] || {
    echo "dist: a tarball is made of a commit, and here is no git checkout" >&2
    exit 1
}
[ -z "$(git status --porcelain)" ] ||
    echo "dist: changes that are not committed are left out" >&2

version=$(git grep -h '^#define SEENSET_VERSION "' HEAD -- include |
    cut -d '"' -f 2)
name=seenset-$version
git -c tar.umask=0022 archive --prefix="$name/" HEAD >"$folder/$name.tar"
gzip -9 -n -f "$folder/$name.tar"
echo "$folder/$name.tar.gz"
[ "${2:-}" != sources ] || exit 0

# The two files are made of what is in the first tarball.
work=$(mktemp -d "${TMPDIR:-/tmp}/seenset-dist.XXXXXX")
trap 'rm -rf "$work"' EXIT
tar -x -z -f "$folder/$name.tar.gz" -C "$work"
{
    cmake -S "$work/$name" -B "$work/build" -DSEENSET_ONLY_CORE=ON &&
        cmake --build "$work/build" --target seenset_amalgamation
} >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}
two=seenset-amalgamation-$version
mkdir "$work/$two"
cp "$work/build/amalgamation/seenset.c" "$work/build/amalgamation/seenset.h" \
    "$work/$name/LICENSE" "$work/$name/docs/embedding.md" "$work/$two"
tar -c -C "$work" --sort=name --owner=root:0 --group=root:0 --mode=u=rwX,go=rX \
    --mtime="$(git show -s --format=%cI HEAD)" --format=ustar \
    -f "$folder/$two.tar" "$two"
gzip -9 -n -f "$folder/$two.tar"
echo "$folder/$two.tar.gz"
