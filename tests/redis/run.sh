#!/bin/sh
# Runs one file of the tests of the module, NAME.py beside this one:
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
REDIS_SERVER=${REDIS_SERVER:-redis-server}
python=${PYTHON:-/usr/bin/python3} # Debian's has Debian's packages
NODE=${NODE:-node}
SEENSET_REDIS_TOOLS=${SEENSET_REDIS_TOOLS:-$source/build/redis-tests}
export SEENSET_REDIS_MODULE SEENSET_COMMAND REDIS_SERVER
export NODE SEENSET_REDIS_TOOLS

skip() {
    echo "SKIPPED: $name was not tested: $1. Please run: make test"
    exit 77
}

command -v "$REDIS_SERVER" >/dev/null || skip "redis-server is not installed"
[ -x "$python" ] || skip "$python is not installed"
[ -f "$SEENSET_REDIS_MODULE" ] || skip "the module is not built"
[ "$name" != clients ] || "$python" -c 'import redis' 2>/dev/null ||
    skip "python3-redis is not installed"
if [ "$name" = node_redis ]; then
    command -v "$NODE" >/dev/null || skip "node is not installed"
    [ "$("$NODE" -p 'parseInt(process.versions.node)')" -ge 20 ] ||
        skip "node is older than version 20"
    [ -d "$SEENSET_REDIS_TOOLS/node_modules/redis" ] ||
        skip "the npm packages are not in $SEENSET_REDIS_TOOLS"
fi
PYTHONDONTWRITEBYTECODE=1 exec "$python" "$source/tests/redis/$name.py" "$@"
