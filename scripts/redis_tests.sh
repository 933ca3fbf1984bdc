#!/bin/sh
# Prepares the tests of the module for Redis: builds it and the command, installs
# a server and a client, and fetches another client, node-redis, by
# tests/redis/package-lock.json into build/redis-tests. It prints what it
# installs before it does.
#
# Where no server or client can be had, it says so and ends well: the tests that
# need it are skipped, each with its reason. A module that does not compile is a
# failure.
set -eu
cd "$(dirname "$0")/.."

missing() {
    echo "=================================================================="
    echo "redis: $1 are SKIPPED,"
    echo "redis: see above"
    echo "=================================================================="
}

scripts/build.sh release seenset_redis seenset_command
scripts/deps.sh redis ||
    missing "there is no server, so tests of the module"
if ! scripts/deps.sh node; then
    missing "there is no Node or no npm, so node-redis's calls"
elif ! scripts/npm.sh tests/redis build/redis-tests; then
    missing "npm cannot fetch node-redis, so its calls"
elif ! scripts/node.sh fetch; then
    missing "npm cannot fetch Node 20, so node-redis's calls"
fi
