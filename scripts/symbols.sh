#!/bin/sh
# debian/*.symbols: since which version a library has each of its functions, by
# which Debian finds out what version of it a program needs.
#
#     symbols.sh check BUILD [FOLDER]      do they name what BUILD exports?
#     symbols.sh refresh BUILD [FOLDER]    add what is new, drop what is gone
#
# FOLDER is debian/ without one. The names of SEENSET_PRIVATE_, which only the
# queue's library may use, and of SEENSET_EXTRA_, which are public without a
# promise, are a line each without a list. Their nodes name the release, so what
# uses them depends on this release alone.
set -eu
export LC_ALL=C
what=$1
build=$2
source=$(cd "$(dirname "$0")/.." && pwd)
folder=${3:-$source/debian}
version=$(sed -n 's/^#define SEENSET_VERSION "\(.*\)"$/\1/p' \
    "$source"/include/seenset/*.h)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# exported LIBRARY NODE: " name@NODE" for each name, as the files have it.
exported() {
    nm -D --defined-only --with-symbol-versions "$build/$1" |
        sed -n "s/^[^ ]* [TDBRWV] \(.*\)@@$2\$/ \1@$2/p" | sort
}

# listed FILE NODE: the same names from a file.
listed() {
    sed -n "s/^\( seenset_[a-z0-9_]*@$2\) .*/\1/p" "$1" | sort
}

check() {
    exported "$2" "$3" >"$work/exported"
    listed "$folder/$1.symbols" "$3" >"$work/listed"
    diff "$work/listed" "$work/exported" >"$work/difference" || {
        echo "$1.symbols is not what $2 exports (scripts/symbols.sh refresh):"
        cat "$work/difference"
        return 1
    }
    [ -s "$work/listed" ]
}

# Names that stay keep the version that they have.
refresh() {
    exported "$2" "$3" >"$work/exported"
    file=$folder/$1.symbols
    touch "$file"
    {
        echo "$2 $1 #MINVER#"
        [ "$1" != libseenset1 ] ||
            echo "| $1 (>= $version), $1 (<< $version.1~)"
        echo "* Build-Depends-Package: libseenset-dev"
        [ "$1" != libseenset1 ] || {
            echo " (symver)SEENSET_EXTRA_$version $version 1"
            echo " (symver)SEENSET_PRIVATE_$version $version 1"
        }
        echo " $3@$3 $(since " $3@$3" "$file")"
        while IFS= read -r name; do
            echo "$name $(since "$name" "$file")"
        done <"$work/exported"
    } >"$work/new"
    mv "$work/new" "$file"
}

since() {
    old=$(awk -v name="${1# }" '$1 == name { print $2 }' "$2")
    echo "${old:-$version}"
}

case $what in
check | refresh) ;;
*)
    echo "symbols: check or refresh, not '$what'" >&2
    exit 2
    ;;
esac
"$what" libseenset1 libseenset.so.1 SEENSET_1.0
"$what" libseenset-queue1 libseenset-queue.so.1 SEENSET_QUEUE_1.0
