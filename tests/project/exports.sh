#!/bin/sh
# What each of the two libraries exports, the functions marked SEENSET_API in
# its public headers, and its version script: three lists that must be one.
#
#     exports.sh libseenset.so libseenset-queue.so <source folder>
#
# The core also exports what seenset/extra/ declares, under SEENSET_EXTRA_ and
# the release; and under SEENSET_PRIVATE_ and the release what the queue needs of
# it: as many names as are marked SS_EXPORT in src/, and none that the queue does
# not use.
set -eu
export LC_ALL=C
core=$1
queue=$2
source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prototypes marked $1 in the files that follow: comments and preprocessor
# lines out, then the name before "(" or ";".
declared() {
    mark=$1
    shift
    cat "$@" | grep -v '^ *#' | tr '\n' ' ' |
        sed 's:/\*:\n&:g; s:\*/:&\n:g' | grep -v '^/\*' | tr '\n' ' ' |
        grep -o "\<$mark [^(;]*[(;]" | sed 's/ *[(;]$//; s/.*[ *]//' | sort
}

release=$(sed -n 's/^#define SEENSET_VERSION "\(.*\)"$/\1/p' \
    "$source/include/seenset/base.h")

# The public headers of the core, of the queue, or those without a promise.
headers_of() {
    find "$source/include/seenset" -name '*.h' | sort |
        case $1 in
        queue) grep -E '/(queue(_[a-z]+)?|url)\.h$' ;;
        extra) grep /extra/ ;;
        core) grep -vE '/(queue(_[a-z]+)?|url)\.h$|/extra/' ;;
        esac
}

# exported LIBRARY NODE: the names that it defines under that version.
exported() {
    nm -D --defined-only "$1" | sed -n "s/.* \([^ ]*\)@@$2\$/\1/p" | sort
}

# What it defines under no version, or under one that is not among NODES.
strays() {
    nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' |
        grep -vE "@@($2)\$" || :
}

# listed MAP NODE: the names that the version script lists there.
listed() {
    sed "s/@PROJECT_VERSION@/$release/" "$source/src/$1" |
        sed -n "/^$2 {/,/^}/p" |
        grep -o 's[a-z]*_[a-z0-9_]*;' | tr -d ';' | sort
}

# same A B: fails, and shows how they differ, unless both list the same.
same() {
    [ -s "$1" ] && [ -s "$2" ] && diff "$1" "$2"
}

# check NAME LIBRARY MAP NODE: the three lists; declared is made already.
check() {
    exported "$2" "$4" >"$work/exported"
    listed "$3" "$4" >"$work/listed"
    echo "$1, declared < > exported"
    same "$work/declared" "$work/exported"
    echo "$1, declared < > src/$3"
    same "$work/declared" "$work/listed"
    echo "$1: $(wc -l <"$work/declared") names"
}

# shellcheck disable=SC2046 # lists of files are meant
{
    declared SEENSET_API $(headers_of core) >"$work/declared"
    check "the core" "$core" seenset.map SEENSET_1.0
    declared SEENSET_API $(headers_of extra) >"$work/declared"
    check "what is extra" "$core" seenset.map "SEENSET_EXTRA_$release"
    declared SEENSET_API $(headers_of queue) >"$work/declared"
    check "the queue" "$queue" seenset-queue.map SEENSET_QUEUE_1.0
    declared SS_EXPORT $(find "$source/src" -name '*.h') >"$work/declared"
    check "what both share" "$core" seenset.map "SEENSET_PRIVATE_$release"
}
{
    strays "$core" "SEENSET_1.0|SEENSET_(EXTRA|PRIVATE)_$release"
    strays "$queue" SEENSET_QUEUE_1.0
} >"$work/strays"
if [ -s "$work/strays" ]; then
    echo "these carry no version, or another:"
    cat "$work/strays"
    exit 1
fi
echo "exported for the queue < > used by it"
nm -D --undefined-only "$queue" |
    sed -n "s/.* \([^ ]*\)@SEENSET_PRIVATE_$release\$/\1/p" | sort >"$work/used"
same "$work/declared" "$work/used"

# The planted faults: a name too few on either side, or none, and a name of
# another version must be noticed.
sed 1d "$work/declared" >"$work/short"
: >"$work/none"
if same "$work/short" "$work/exported" >"$work/diff" ||
    same "$work/declared" "$work/short" >"$work/diff" ||
    same "$work/none" "$work/none" >"$work/diff" ||
    [ -z "$(strays "$core" SEENSET_1.0)" ]; then
    echo "the comparison cannot fail: it missed a planted fault"
    exit 1
fi
