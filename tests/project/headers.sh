#!/bin/sh
# Each prototype of the public headers has a comment of its own right above it,
# which says in which threads it may run; no header is over 500 lines; and none
# mentions a file that is not installed.
#
#     headers.sh <source folder>
set -eu
export LC_ALL=C
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Says what is wrong with the headers of a folder.
check() {
    awk '
        FNR == 1 { comment = ""; is_ended = 0 }
        FNR == 501 { print FILENAME ": over 500 lines" }
        /src\// { print FILENAME ":" FNR ": names a private file" }
        /^\/\*/ { comment = "" }
        /^\/\*/, /\*\/$/ { comment = comment " " $0; is_ended = /\*\/$/; next }
        /^SEENSET_API/ {
            if (!is_ended)
                print FILENAME ":" FNR ": has no comment of its own"
            else if (comment !~ /Threads:/ && FILENAME !~ /(plan|url|queue|queue_look)\.h$/)
                print FILENAME ":" FNR ": does not say which threads"
        }
        { is_ended = 0 }' "$1"/*.h
}

check "$source/include/seenset" >"$work/wrong"
cat "$work/wrong"
[ ! -s "$work/wrong" ]

# planted SED MESSAGE: seenset.h changed so is found.
planted() {
    rm -rf "$work/planted" && mkdir "$work/planted"
    sed "$1" "$source/include/seenset/seenset.h" >"$work/planted/seenset.h"
    check "$work/planted" | grep -q "$2" || {
        echo "a planted fault was missed: $2"
        exit 1
    }
}
planted 's/^SEENSET_API int seenset_add(/\n&/' 'no comment of its own'
planted 's/Threads: ends\.//' 'does not say which threads'
planted '2s/$/ see src\/set/' 'private file'
planted '2s/$/'"$(printf '%500s' | sed 's/ /\\n/g')"'/' 'over 500 lines'
