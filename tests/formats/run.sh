#!/bin/sh
# Opens files that another system has written:
#
#     run.sh NAME SOURCE_FOLDER BUILD_FOLDER
#
#     bitcoinlib  Debian's python3-bitcoinlib has filters of Bitcoin
#     duckdb      DuckDB, of npm, writes Parquet files
#     hyparquet   hyparquet-writer, of npm, does, and hyparquet answers
#     flor        Debian's python3-flor has files of DCSO's bloom
#     guava       Debian's libguava-java, on a Java of 17 or later
#     leveldb     Debian's python3-plyvel writes tables, and libleveldb answers
#     rocksdb     Debian's librocksdb does both
#     redisbloom  what RedisBloom dumped and answered (tests/redis/payloads)
#     check       the figures of files in tests/vectors/foreign
#
# `make test` fetches all. Exit status 77: it is not there, so nothing was
# tested; it prints what.
set -eu
name=$1
source=$2
build=$3
tools=${SEENSET_FORMATS_TOOLS:-$source/build/formats-tests}

skip() {
    echo "SKIPPED: formats_$name was not tested: $1. Please run: make test"
    exit 77
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# by_node PACKAGE: NAME.mjs, by Node, with a package of npm.
by_node() {
    NODE=${NODE:-$("$source/scripts/node.sh")} ||
        skip "Node 20 is neither installed nor in $source/build/node"
    [ -d "$tools/node_modules/$1" ] || skip "$1 is not in $tools"
    "$NODE" "$source/tests/formats/$name.mjs" "$tools" "$build/seenset" \
        "$folder"
}

case $name in
duckdb) by_node @duckdb/node-api ;;
hyparquet) by_node hyparquet-writer ;;
flor)
    /usr/bin/python3 -c 'import flor' 2>/dev/null ||
        skip "Debian's python3-flor is not installed"
    /usr/bin/python3 "$source/tests/formats/flor_peer.py" "$build/seenset" \
        "$folder" "$build/libseenset.so"
    ;;
guava)
    jar=/usr/share/java/guava.jar
    [ -f "$jar" ] || skip "Debian's libguava-java is not installed"
    { command -v java && command -v javac; } >/dev/null ||
        skip "no Java is installed"
    java -XX:TieredStopAtLevel=1 -cp "$jar" \
        "$source/tests/formats/Guava.java" "$build/seenset" "$folder"
    ;;
leveldb)
    /usr/bin/python3 -c 'import plyvel' 2>/dev/null ||
        skip "Debian's python3-plyvel is not installed"
    "${CXX:-c++}" -O1 -o "$folder/ask" "$source/tests/formats/leveldb_ask.cc" \
        -lleveldb 2>/dev/null || skip "Debian's libleveldb-dev is not installed"
    /usr/bin/python3 "$source/tests/formats/leveldb_peer.py" \
        "$build/seenset" "$folder" "$folder/ask"
    ;;
rocksdb)
    [ -f /usr/include/rocksdb/c.h ] ||
        skip "Debian's librocksdb-dev is not installed"
    /usr/bin/python3 "$source/tests/formats/rocksdb_peer.py" \
        "$build/seenset" "$folder" "$build/libseenset.so"
    ;;
check)
    /usr/bin/python3 "$source/tests/formats/check_by_hand.py" \
        "$build/seenset" "$folder" "$source/docs/formats/check.md" \
        "$source/tests/vectors/foreign"
    ;;
redisbloom)
    /usr/bin/python3 "$source/tests/formats/redisbloom_peer.py" \
        "$build/seenset" "$folder" \
        "$source/tests/redis/payloads/redisbloom.json"
    ;;
bitcoinlib)
    /usr/bin/python3 -c 'import bitcoin.bloom' 2>/dev/null ||
        skip "Debian's python3-bitcoinlib is not installed"
    /usr/bin/python3 "$source/tests/formats/bitcoinlib_peer.py" \
        "$build/seenset" "$folder"
    ;;
*)
    echo "usage: run.sh" \
        "bitcoinlib|check|duckdb|flor|guava|hyparquet|leveldb" \
        "|redisbloom|rocksdb" \
        "SOURCE_FOLDER BUILD_FOLDER" >&2
    exit 2
    ;;
esac
