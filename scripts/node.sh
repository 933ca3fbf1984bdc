#!/bin/sh
# Prints the path of Node 20 or later: of the system's, or where that is older
# (Debian 12 has 18), of the one in build/node. "fetch" gets that one there,
# where neither is: npm has packages that hold Node itself, one for each
# processor, pinned by scripts/node/package-lock.json.
#
#     node.sh [fetch]
set -eu
cd "$(dirname "$0")/.."

# is_new PROGRAM: does it run here, and is it new enough?
is_new() {
    [ "$("$1" -p 'parseInt(process.versions.node)' 2>/dev/null || echo 0)" \
        -ge 20 ]
}

print_new() {
    for program in "$(command -v node)" \
        "$PWD"/build/node/node_modules/node-linux-*/bin/node; do
        if [ -n "$program" ] && is_new "$program"; then
            echo "$program"
            return 0
        fi
    done
    return 1
}

case ${1:-} in
'') print_new ;;
fetch)
    print_new >/dev/null || {
        scripts/npm.sh scripts/node build/node
        print_new >/dev/null || {
            echo "node: npm has no Node 20 for this processor" >&2
            exit 1
        }
    }
    ;;
*)
    echo "usage: node.sh [fetch]" >&2
    exit 2
    ;;
esac
