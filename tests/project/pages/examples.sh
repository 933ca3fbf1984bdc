#!/bin/sh
# Every program of examples/ compiles as its reader would compile it, against
# the public headers and the shared libraries, runs, and prints the text in
# examples/expected/.
#
#     examples.sh <build folder> <source folder>
set -eu
build=$1
source=$2
examples=$source/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LD_LIBRARY_PATH=$build
export LD_LIBRARY_PATH

# Each gets a folder that does not exist yet; the example of the queue uses it.
run() {
    "${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror \
        "$examples/$1.c" -I"$source/include" -L"$build" -lseenset-queue \
        -lseenset -lm -o "$work/$1"
    "$work/$1" "$work/$1.folder" >"$work/$1.printed"
}

ran=0
for file in "$examples"/*.c; do
    name=$(basename "$file" .c)
    case $name in
    crawl) continue ;;   # needs libcurl: test_crawl.sh runs it
    guide_*) continue ;; # guide.sh compares these with docs/guide.md
    esac
    run "$name"
    diff "$examples/expected/$name.txt" "$work/$name.printed" || {
        echo "$name: does not print examples/expected/$name.txt"
        exit 1
    }
    ran=$((ran + 1))
done
for file in "$examples"/expected/*.txt; do
    [ -f "$examples/$(basename "$file" .txt).c" ] || {
        echo "no example prints $file"
        exit 1
    }
done
[ "$ran" -ge 6 ] || {
    echo "only $ran examples were found"
    exit 1
}

# The planted faults: one digit, and one line less, must be noticed.
for change in 's/[0-8]\([^0-8]*\)$/9\1/' '1d'; do
    sed "$change" "$work/two_hashes.printed" >"$work/changed"
    if diff "$examples/expected/two_hashes.txt" "$work/changed" \
        >"$work/difference"; then
        echo "the comparison can't fail: it missed a planted fault"
        exit 1
    fi
done
echo "$ran examples print what they should"
