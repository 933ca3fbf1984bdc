#!/bin/sh
# Makes a source tarball of the last commit, FOLDER/seenset-VERSION.tar.gz:
#
#     dist.sh FOLDER
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
