#!/bin/sh
# The C example of README.md (its first ```c block) compiles against this
# build, runs, and prints what the README says (the ```text block after it).
#
#     readme.sh <build folder> <source folder>
set -eu
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/project/pages/block.sh
. "$source/tests/project/pages/block.sh"

block c >"$work/example.c"
block text >"$work/expected"
for file in example.c expected; do
    [ -s "$work/$file" ] || {
        echo "README.md has no \`\`\`c block with a \`\`\`text block after it"
        exit 1
    }
done

"${CC:-cc}" -std=c11 -Wall -Werror "$work/example.c" \
    -I"$source/include" -L"$build" -lseenset -o "$work/example"
cd "$work"
LD_LIBRARY_PATH=$build ./example >printed
diff expected printed

# The planted fault: another output must be noticed.
echo "something else" >>printed
if diff expected printed >difference; then
    echo "the comparison can't fail: it missed a planted fault"
    exit 1
fi
