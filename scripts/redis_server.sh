#!/bin/sh
# Prints the path of the program redis-server.
#
# Debian's package of that name starts a service on port 6379 as soon as it is
# installed, and a test must not leave one running on its user's machine. The
# package has no program in it but a link: the server is redis-check-rdb, in
# redis-tools, which starts nothing and is what deps.sh installs. So where no
# redis-server is found, the same link is made in build/redis.
set -eu
cd "$(dirname "$0")/.."

command -v redis-server && exit
program=$(command -v redis-check-rdb) || {
    echo "redis: there is neither redis-server nor redis-check-rdb" >&2
    exit 1
}
mkdir -p build/redis
ln -sf "$program" build/redis/redis-server
echo "$PWD/build/redis/redis-server"
