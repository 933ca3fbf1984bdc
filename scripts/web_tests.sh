#!/bin/sh
# Prepares the tests of the page: installs the browsers and what compiles to
# WebAssembly, builds the page in build/web, and fetches the npm packages of
# tests/web/package-lock.json into build/web-tests, and Node 20 into build/node
# where the system's is older. It prints what it installs before it does.
#
# Where a browser, a package or the compiler cannot be had, it says so and ends
# well: the tests that need it are skipped, each with its reason. A page that
# does not compile is a failure.
set -eu
cd "$(dirname "$0")/.."

missing() {
    echo "=================================================================="
    echo "web: $1, so tests of the page are SKIPPED, see above"
    echo "=================================================================="
}

# The URLs of the demo, which apt's lists have.
has_urls() {
    [ "$(apt-cache dumpavail 2>/dev/null | grep -c '^Homepage: ')" -ge 10000 ]
}

# The page of before must not be tested in place of one that was not built.
if scripts/deps.sh web; then
    scripts/web.sh
else
    rm -rf build/web
    missing "the page cannot be built here"
fi
if ! scripts/deps.sh browsers; then
    missing "there is no browser"
elif ! scripts/npm.sh tests/web build/web-tests; then
    missing "npm cannot fetch the packages"
elif ! scripts/node.sh fetch; then
    missing "npm cannot fetch Node 20"
elif ! scripts/npm.sh tests/web/bundlers build/bundlers; then
    missing "npm cannot fetch the bundlers"
fi
has_urls || scripts/deps.sh lists || missing "apt has no package lists"
