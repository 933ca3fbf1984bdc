#!/bin/sh
# Every program of docs/tutorial.md compiles, runs and prints what the page
# shows.
#
#     tutorial.sh <build folder> <source folder>
#
# A block "```c NAME" is the program NAME, or the file NAME if it has a dot in
# it. A block "```text NAME" is what the program prints. The programs run in the
# order of the page, in one folder, so that one can open what another saved.
set -eu
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LD_LIBRARY_PATH=$build
export LD_LIBRARY_PATH

# Cuts the page into NAME.c and NAME.expected, and lists the programs.
cut_blocks() {
    awk -v folder="$work" '
        /^```/ && file != "" { close(file); file = ""; next }
        /^```c / && $2 ~ /\./ { file = folder "/" $2; printf "" >file; next }
        /^```c / { print $2; file = folder "/" $2 ".c"; next }
        /^```text / {
            file = folder "/" $2 ".expected"
            printf "" >file
            next
        }
        file != "" { print >file }' "$1"
}

run() {
    "${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Werror "$1.c" \
        -I"$source/include" -L"$build" -lseenset -lm -pthread -o "$1"
    "./$1" >"$1.printed" 2>&1
    diff "$1.expected" "$1.printed"
}

cd "$work"
cut_blocks "$source/docs/tutorial.md" >programs
[ "$(wc -l <programs)" -ge 10 ]
while read -r name; do
    run "$name" || {
        echo "docs/tutorial.md: the program $name does something else"
        exit 1
    }
done <programs
echo "$(wc -l <programs) programs print what the page shows"

# ---- planted: a program that prints something else ----

name=$(head -n 1 programs)
echo 'a line too many' >>"$name.expected"
if run "$name" >difference; then
    echo "the comparison cannot fail: it missed a planted fault"
    exit 1
fi
