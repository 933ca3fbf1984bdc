#!/bin/sh
# The names libseenset.so exports, the functions marked SEENSET_API in the
# public headers, and the version script: three lists that must be one.
#
#     exports.sh libseenset.so <source folder>
set -eu
export LC_ALL=C
library=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prototypes: comments and preprocessor lines out, then the name before "(".
declared() {
    cat "$@" | grep -v '^ *#' | tr '\n' ' ' |
        sed 's:/\*:\n&:g; s:\*/:&\n:g' | grep -v '^/\*' | tr '\n' ' ' |
        grep -o 'SEENSET_API [^(;]*(' | sed 's/ *($//; s/.*[ *]//' | sort
}

exported() {
    nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sort
}

listed() {
    grep -o 'seenset_[a-z0-9_]*;' "$1" | tr -d ';' | sort
}

# same A B: fails, and says how they differ, unless both list the same.
same() {
    [ -s "$1" ] && [ -s "$2" ] && diff "$1" "$2"
}

declared "$source"/include/seenset/*.h >"$work/declared"
exported "$library" >"$work/versioned"
sed 's/@.*//' "$work/versioned" >"$work/exported"
listed "$source/src/seenset.map" >"$work/listed"

echo "declared < > exported"
same "$work/declared" "$work/exported"
echo "declared < > src/seenset.map"
same "$work/declared" "$work/listed"
if grep -v '@@SEENSET_0$' "$work/versioned"; then
    echo "these carry no version, or another"
    exit 1
fi

# The planted fault: a name too few on either side, or none, must be noticed.
sed 1d "$work/declared" >"$work/short"
: >"$work/none"
if same "$work/short" "$work/exported" >"$work/diff" ||
    same "$work/declared" "$work/short" >"$work/diff" ||
    same "$work/none" "$work/none" >"$work/diff"; then
    echo "the comparison can't fail: it missed a planted fault"
    exit 1
fi
echo "$(wc -l <"$work/declared") names"
