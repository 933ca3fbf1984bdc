#!/bin/sh
# Fetches the npm packages that a folder's package-lock.json pins:
#
#     npm.sh FOLDER TOOLS
#
# They go into TOOLS/node_modules, once for each lock file. It prints the
# command it runs. No package may run a program of its own.
set -eu
folder=$1
tools=$2

mkdir -p "$tools"
! cmp -s "$folder/package-lock.json" "$tools/fetched" || exit 0
cp "$folder/package.json" "$folder/package-lock.json" "$tools"
echo "npm: running: npm ci (in $tools)"
(cd "$tools" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
cp "$folder/package-lock.json" "$tools/fetched"
