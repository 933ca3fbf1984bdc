#!/bin/sh
# Runs one file of the tests of the module, NAME.py beside this one, in by_host
# or in server:
#
#     run.sh NAME SOURCE_FOLDER BUILD_FOLDER [ARGUMENT...]
#
# `make test` prepares what they need first (scripts/redis_tests.sh). Exit
# status 77: something is not there, so nothing was tested; it prints what.
set -eu
name=$1
source=$2
build=$3
shift 3
SEENSET_REDIS_MODULE=${SEENSET_REDIS_MODULE:-$build/seenset-redis.so}
SEENSET_COMMAND=${SEENSET_COMMAND:-$build/seenset}
REDIS_SERVER=${REDIS_SERVER:-$("$source/scripts/redis_server.sh" || :)}
python=${PYTHON:-/usr/bin/python3} # Debian's has Debian's packages
SEENSET_REDIS_TOOLS=${SEENSET_REDIS_TOOLS:-$source/build/redis-tests}
export SEENSET_REDIS_MODULE SEENSET_COMMAND REDIS_SERVER
export SEENSET_REDIS_TOOLS

skip() {
    echo "SKIPPED: $name was not tested: $1. Please run: make test"
    exit 77
}

[ -x "$python" ] || skip "$python is not installed"
if [ "$name" = replies ]; then # its server is its own
    SEENSET_UNCHECKED=$build/tests/test_unchecked
    export SEENSET_UNCHECKED
else
    command -v "$REDIS_SERVER" >/dev/null ||
        skip "redis-server is not installed"
    [ -f "$SEENSET_REDIS_MODULE" ] || skip "the module is not built"
fi
[ "$name" != clients ] || "$python" -c 'import redis' 2>/dev/null ||
    skip "python3-redis is not installed"
if [ "$name" = node_redis ]; then
    NODE=${NODE:-$("$source/scripts/node.sh" || :)}
    export NODE
    command -v "$NODE" >/dev/null ||
        skip "Node 20 is neither installed nor in $source/build/node"
    [ -d "$SEENSET_REDIS_TOOLS/node_modules/redis" ] ||
        skip "the npm packages are not in $SEENSET_REDIS_TOOLS"
fi
for folder in . by_host server; do
    file=$source/tests/redis/$folder/$name.py
    [ ! -f "$file" ] || break
done
export PYTHONPATH="$source/tests/redis"
PYTHONDONTWRITEBYTECODE=1 exec "$python" "$file" "$@"
