#!/bin/sh
# Runs the tests of the module for Redis in one server:
#
#     test_redis.sh [SERVER]      a program, like /usr/bin/valkey-server; without
#                                 it the one that scripts/redis_server.sh finds
#
# A server that cannot be started is an error here, and no reason to skip.
set -eu
cd "$(dirname "$0")/.."
REDIS_SERVER=${1:-$(scripts/redis_server.sh)}
version=$("$REDIS_SERVER" --version) || {
    echo "test-redis: '$REDIS_SERVER' is no server that can be started;" \
        "please name one: make test-redis SERVER=/path/valkey-server" >&2
    exit 1
}
echo "test-redis: $REDIS_SERVER: $version"
export REDIS_SERVER
scripts/test.sh release --label-regex '^redis$'
