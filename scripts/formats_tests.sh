#!/bin/sh
# Prepares the tests of other systems' files: installs python3-flor, Guava,
# LevelDB and RocksDB, and fetches the packages of tests/formats/package.json into
# build/formats-tests, and Node 20 into build/node where it is older.
# It prints what it installs before it does.
#
# Where these cannot be had, it says so and ends well: the tests that need them
# are skipped, each with its reason.
set -eu
cd "$(dirname "$0")/.."

missing() {
    echo "=================================================================="
    echo "formats: $1, so tests of its files are SKIPPED, see above"
    echo "=================================================================="
}

scripts/deps.sh formats || missing "a package of them is not there"
if ! scripts/npm.sh tests/formats build/formats-tests; then
    missing "npm cannot fetch DuckDB and hyparquet"
elif ! scripts/node.sh fetch; then
    missing "npm cannot fetch Node 20"
fi
