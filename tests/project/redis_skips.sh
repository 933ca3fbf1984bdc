#!/bin/sh
# Tests of the module are skipped aloud where a server cannot be had, and only
# there: what is there and fails, fails.
#
#     redis_skips.sh SOURCE_FOLDER
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect STATUS WORDS COMMAND...: that status, and a line with these words.
expect() {
    expected=$1 words=$2
    shift 2
    status=0
    "$@" >"$work/said" 2>&1 || status=$?
    [ "$status" = "$expected" ] && grep -q "$words" "$work/said" || {
        echo "status $status, not $expected, or it does not print: $words"
        cat "$work/said"
        exit 1
    }
}

# script NAME: a program, its text read from input.
script() {
    mkdir -p "$(dirname "$1")"
    { echo '#!/bin/sh' && cat; } >"$1"
    chmod +x "$1"
}

# ---- one file of tests ----

touch "$work/module.so"
echo 'echo ran; exit 5' | script "$work/python"
echo '[ "$1" != -c ]' | script "$work/python_alone"

# run NAME [VARIABLE=VALUE...]: as on a machine that has all of it.
run() {
    name=$1
    shift
    env REDIS_SERVER=/bin/true PYTHON="$work/python" \
        SEENSET_REDIS_MODULE="$work/module.so" "$@" \
        "$source/tests/redis/run.sh" "$name" "$source" "$work"
}
expect 5 ran run bf
expect 77 'SKIPPED: bf .*redis-server' run bf REDIS_SERVER=/no/server
expect 77 'SKIPPED: bf .*/no/python' run bf PYTHON=/no/python
expect 77 'SKIPPED: bf .*module' run bf SEENSET_REDIS_MODULE=/no/module
expect 77 'SKIPPED: clients .*python3-redis' run clients \
    PYTHON="$work/python_alone"

mkdir -p "$work/tools/node_modules/redis"
echo ran | script "$work/node"

# run_node [VARIABLE=VALUE...]: the calls of node-redis, likewise.
run_node() {
    run node_redis NODE="$work/node" SEENSET_REDIS_TOOLS="$work/tools" \
        "$@"
}
expect 5 ran run_node
expect 77 'SKIPPED: node_redis .*Node 20' run_node NODE=/no/node
expect 77 'SKIPPED: node_redis .*npm packages' run_node \
    SEENSET_REDIS_TOOLS="$work"

# ---- the server's program, without the package that starts a service ----

mkdir -p "$work/debian/scripts" "$work/path"
cp "$source/scripts/redis_server.sh" "$work/debian/scripts"
ln -s "$(command -v dirname)" "$(command -v mkdir)" "$(command -v ln)" \
    "$(command -v sh)" "$work/path"
server() {
    env PATH="$work/path" "$work/debian/scripts/redis_server.sh"
}
expect 1 'neither redis-server nor redis-check-rdb' server
echo 'echo "I am $0"' | script "$work/path/redis-check-rdb"
expect 0 "^$work/debian/build/redis/redis-server\$" server
expect 0 'I am .*/redis-server' \
    env PATH="$work/path" "$work/debian/build/redis/redis-server"
echo : | script "$work/path/redis-server"
expect 0 "^$work/path/redis-server\$" server
! grep -E '^(redis|valkey)-server ' "$source/scripts/deps.sh" || {
    echo "deps.sh would start a service on port 6379"
    exit 1
}

# ---- what `make test` prepares ----

tree=$work/tree
mkdir -p "$tree/scripts"
cp "$source/scripts/redis_tests.sh" "$tree/scripts"
echo 'echo "fetched: $1"' | script "$tree/scripts/npm.sh"
echo 'echo "built: $2"' | script "$tree/scripts/build.sh"
echo 'exit 0' | script "$tree/scripts/deps.sh"
echo 'echo "node: $1"' | script "$tree/scripts/node.sh"
expect 0 'node: fetch' "$tree/scripts/redis_tests.sh"
expect 0 'built: seenset_redis' "$tree/scripts/redis_tests.sh"
expect 0 'fetched: tests/redis' "$tree/scripts/redis_tests.sh"
echo 'exit 1' | script "$tree/scripts/node.sh"
expect 0 'cannot fetch Node 20.*SKIPPED' "$tree/scripts/redis_tests.sh"
echo 'exit 1' | script "$tree/scripts/npm.sh"
expect 0 'cannot fetch node-redis.*SKIPPED' "$tree/scripts/redis_tests.sh"
echo '[ "$1" != node ]' | script "$tree/scripts/deps.sh"
expect 0 'no npm.*SKIPPED' "$tree/scripts/redis_tests.sh"
echo 'exit 1' | script "$tree/scripts/deps.sh"
expect 0 SKIPPED "$tree/scripts/redis_tests.sh"
echo 'echo broken; exit 7' | script "$tree/scripts/build.sh"
expect 7 broken "$tree/scripts/redis_tests.sh"

# ---- each file of tests is one of CMake's ----

listed=$(tr -s '\n ' ' ' <"$source/tests/redis/CMakeLists.txt")
for file in "$source"/tests/redis/*.py "$source"/tests/redis/by_host/*.py; do
    name=$(basename "$file" .py)
    case $name in
    fake_server | harness | load | network | nodes) continue ;; # shared
    replies) continue ;; # crawl_replies, which runs under sanitizers as well
    esac
    echo "$listed" | grep -qE "foreach\(name[^)]*\b$name\b" || {
        echo "tests/redis/$name.py is not in tests/redis/CMakeLists.txt"
        exit 1
    }
done
