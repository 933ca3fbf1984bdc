#!/bin/sh
# A function that other files can call is called by another file, or it is
# public, or it is a seam: a place where a test looks in, or takes hold. The
# seams are in unused.txt, each with its reason, and each is used by a test.
#
#     unused.sh SOURCE_FOLDER BUILD_FOLDER
#
# Fails on any other: it can be static, or it can go. It fails, too, on a line
# of unused.txt whose function is gone, is called by another file by now, or
# that no test, fuzzer or benchmark names.
set -eu
export LC_ALL=C
source=$1
build=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Names in objects of the folders that no other object of them asks for.
alone() {
    find "$@" -name '*.c.o' -exec nm -g -A -P {} + |
        awk -v want=alone -f "$here/symbols.awk" |
        grep -vE '^set/(merge|generations|unions) | (seenset_[a-z0-9_]+|main|__.*)$' || :
}

# The list $1, of functions "FILE NAME", held against the seams of the file $2.
check() {
    sed 's/ *#.*//; /^$/d' "$2" | sort >"$work/seams"
    cut -d ' ' -f 2 "$1" | sort >"$work/names"
    comm -23 "$work/names" "$work/seams" | while read -r name; do
        echo "$(grep -m1 " $name\$" "$1" | cut -d ' ' -f 1).c: only $name" \
            "itself uses it: make it static, or remove it"
    done
    comm -13 "$work/names" "$work/seams" | while read -r name; do
        echo "unused.txt: $name is called by another file, or is gone"
    done
    while read -r name; do
        grep -rqw --include='*.[ch]' "$name" "$source/tests" "$source/fuzz" \
            "$source/bench" || echo "unused.txt: no test uses $name"
    done <"$work/seams"
}

objects=$build/CMakeFiles
{
    alone "$objects/seenset_objects.dir" "$objects/seenset_queue_objects.dir"
    alone "$build"/fronts/cli/CMakeFiles/seenset_*.dir
} >"$work/alone"
[ -s "$work/alone" ] || {
    echo "no object has a function of its own"
    exit 1
}
check "$work/alone" "$here/unused.txt" >"$work/found"
cat "$work/found"
[ ! -s "$work/found" ]

# ---- planted: each kind is found ----

planted() {
    check "$1" "$2" | grep -q "$3" || {
        echo "planted: not found: $3"
        exit 1
    }
}
echo 'set/set ss_set_planted' | cat "$work/alone" - >"$work/more"
planted "$work/more" "$here/unused.txt" 'set/set.c: only ss_set_planted'
sed 1d "$work/alone" >"$work/fewer"
planted "$work/fewer" "$here/unused.txt" 'is called by another file'
echo 'ss_set_planted # a seam' | cat "$here/unused.txt" - >"$work/seam.txt"
planted "$work/more" "$work/seam.txt" 'no test uses ss_set_planted'
echo "$(wc -l <"$work/alone") seams, each used by a test"
