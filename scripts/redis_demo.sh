#!/bin/sh
# A dialogue with a Redis server that has the module: one is started on a free
# port of this machine, in a folder of its own, and ended with the script.
#
#     redis_demo.sh MODULE
set -eu
module=$(realpath "$1")
work=$(mktemp -d)
server=$("$(dirname "$0")/redis_server.sh")
process=
finish() {
    [ -z "$process" ] || kill "$process" 2>/dev/null || :
    [ -z "$process" ] || wait "$process" 2>/dev/null || :
    rm -rf "$work"
}
trap finish EXIT
bold='' plain=''
if [ -t 1 ]; then
    bold=$(printf '\033[1m') plain=$(printf '\033[0m')
fi

answers() {
    [ "$(redis-cli -p "$port" ping 2>/dev/null)" = PONG ]
}

# Starts a server on $port. Fails if it ends, as where the port is taken.
start() {
    "$server" --port "$port" --bind 127.0.0.1 --save '' --dir "$work" \
        --loadmodule "$module" >"$work/log" 2>&1 &
    process=$!
    while kill -0 "$process" 2>/dev/null; do
        ! answers || return 0
        sleep 0.1
    done
    return 1
}

port=16379
until start; do
    port=$((port + 1))
    [ "$port" -lt 16400 ] || {
        cat "$work/log" >&2
        exit 1
    }
done

say() {
    printf '\n%s%s%s\n' "$bold" "$1" "$plain"
}
ask() {
    printf '> %s\n' "$*"
    redis-cli --no-raw -p "$port" "$@"
}

say "A server with seenset, on port $port. Have I seen this before?"
ask SEEN.ADD crawl https://example.org/ https://example.org/a
ask SEEN.ADD crawl https://example.org/ https://example.org/b
ask SEEN.HAS crawl https://example.org/a https://example.org/z

say "RedisBloom's commands, for programs that know them"
ask BF.RESERVE users 0.001 1000000
ask BF.MADD users alice bob alice
ask BF.EXISTS users bob
ask BF.INFO users

say "What RedisBloom lacks: a union, a window, keys taken out, true rates"
ask SEEN.MERGE all crawl users
ask SEEN.HAS all alice https://example.org/b nobody
ask SEEN.NEW today WINDOW SECONDS 86400
ask SEEN.ADD today https://example.org/
ask SEEN.NEW cart LAYOUT counting
ask SEEN.ADD cart apple apple pear
ask SEEN.REMOVE cart apple
ask SEEN.COUNT cart apple pear plum
ask SEEN.INFO crawl

say "A crawl in one key: seen, pending and handed out"
ask VISIT.PUSH frontier https://example.org/ https://example.org/a
ask VISIT.PUSH frontier https://example.org/a https://example.org/b DATA depth=2
ask VISIT.POP frontier COUNT 2 LEASE 60000
ask VISIT.ACK frontier 1
ask VISIT.NACK frontier 2
ask VISIT.POP frontier COUNT 9
ask VISIT.LEN frontier
