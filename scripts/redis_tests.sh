#!/bin/sh
# Prepares the tests of the module for Redis: builds it and the command, whose
# crawls need hiredis, and installs a server and a client. It prints what it installs before it does.
#
# Where no server can be had, it says so and ends well: the tests that need one
# are skipped, each with its reason. A module that does not compile is a
# failure.
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh crawl || echo "redis: crawls are not tested, see above"
scripts/build.sh release seenset_redis seenset_command
scripts/deps.sh redis || {
    echo "=================================================================="
    echo "redis: there is no server, so tests of the module are SKIPPED,"
    echo "redis: see above"
    echo "=================================================================="
}
