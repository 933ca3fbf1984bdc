#!/bin/sh
# Runs one file of the page's tests, NAME.mjs beside this one:
#
#     run.sh NAME SOURCE_FOLDER NATIVE_BUILD_FOLDER
#
# `make test` prepares what they need first (scripts/web_tests.sh). Exit status
# 77: something is not there, so nothing was tested; it prints what.
set -eu
name=$1
source=$2
SEENSET_BUILD=$3
SEENSET_WEB_SITE=${SEENSET_WEB_SITE:-$source/build/web}
SEENSET_WEB_TOOLS=${SEENSET_WEB_TOOLS:-$source/build/web-tests}
SEENSET_WEB_OUTPUT=$SEENSET_WEB_TOOLS/output
SEENSET_BUNDLERS=${SEENSET_BUNDLERS:-$source/build/bundlers}
if [ -z "${CHROMIUM:-}" ]; then
    CHROMIUM=/usr/bin/chromium-headless-shell # without windows
    [ -x "$CHROMIUM" ] || CHROMIUM=/usr/bin/chromium
fi
FIREFOX=${FIREFOX:-/usr/bin/firefox-esr}
export SEENSET_BUILD SEENSET_WEB_SITE SEENSET_WEB_TOOLS SEENSET_WEB_OUTPUT
export SEENSET_BUNDLERS CHROMIUM FIREFOX

skip() {
    echo "SKIPPED: $name was not tested: $1. Please run: make test"
    exit 77
}

NODE=${NODE:-$("$source/scripts/node.sh")} ||
    skip "Node 20 is neither installed nor in $source/build/node"
command -v "$NODE" >/dev/null || skip "there is no $NODE"
[ -f "$SEENSET_WEB_SITE/module/seenset.wasm" ] ||
    skip "the page is not built in $SEENSET_WEB_SITE"
# What drives a browser needs one; the module's tests need node alone.
case $name in
node_*) ;;
*)
    [ -d "$SEENSET_WEB_TOOLS/node_modules/playwright-core" ] ||
        skip "the npm packages are not in $SEENSET_WEB_TOOLS"
    [ -x "$CHROMIUM" ] || skip "$CHROMIUM is not installed"
    [ "$name" != firefox ] || [ -x "$FIREFOX" ] ||
        skip "$FIREFOX is not installed"
    ;;
esac
case $name in
bundlers | node_types)
    [ -d "$SEENSET_BUNDLERS/node_modules/vite" ] ||
        skip "the bundlers are not in $SEENSET_BUNDLERS"
    ;;
esac
for folder in tests/web tests/web/use tests/web/foreign \
    tests/web/languages; do
    [ -f "$source/$folder/$name.mjs" ] && break
done
exec "$NODE" --test-reporter=spec "$source/$folder/$name.mjs"
