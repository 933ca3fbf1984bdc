#!/bin/sh
# tests/api is the contract: each public function is called there. A call in
# nulls.c, which calls all of them with NULL, and a name in abi.c do not count.
#
#     contract.sh SOURCE_FOLDER
set -eu
export LC_ALL=C

# Public functions by the lists $1 and $2 that no file of the folder $3 calls.
uncalled() {
    called=$(find "$3" -name '*.c' ! -name nulls.c ! -name abi.c \
        -exec grep -ohE 'seenset_[a-z0-9_]+\(' {} + | tr -d '(' | sort -u)
    grep -ohE '^ +seenset_[a-z0-9_]+;' "$1" "$2" | tr -d ' ;' | sort -u |
        while read -r name; do
            echo "$called" | grep -qx "$name" || echo "$name"
        done
}

# The check sees a function that was planted.
planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
mkdir "$planted/api"
printf '    global:\n        seenset_new;\n        seenset_shrink;\n' \
    >"$planted/a.map"
echo '        seenset_queue_pop;' >"$planted/b.map"
echo 'seenset_new(&set, NULL); seenset_queue_pop(queue, &item);' \
    >"$planted/api/set.c"
echo 'seenset_shrink(NULL);' >"$planted/api/nulls.c"
[ "$(uncalled "$planted/a.map" "$planted/b.map" "$planted/api")" = \
    seenset_shrink ] || {
    echo 'contract: it does not see a function that no test calls' >&2
    exit 1
}

missing=$(uncalled "$1/src/seenset.map" "$1/src/seenset-queue.map" \
    "$1/tests/api")
[ -z "$missing" ] || {
    echo 'contract: no test in tests/api calls' >&2
    echo "$missing" >&2
    exit 1
}
