#!/bin/bash
# A stream of real URLs loses its duplicates: the home pages of all packages
# in this machine's Debian package lists. The exact answer, by an awk that
# keeps every line, stands beside it, and the two must agree to the byte.
#
#     demo.sh <build folder>
set -euo pipefail
export LC_ALL=C
build=$1
seenset=$build/seenset
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bold='' plain=''
if [ -t 1 ]; then
    bold=$'\e[1m' plain=$'\e[0m'
fi
title() {
    printf '\n%s%s%s\n' "$bold" "$1" "$plain"
}
stop() {
    printf 'demo: %s\n' "$@" >&2
    exit 1
}

# Before the lists are fetched, apt knows only what is installed: a few URLs.
read_urls() {
    apt-cache dumpavail | sed -n 's/^Homepage: *//p' >"$work/urls"
    [ "$(wc -l <"$work/urls")" -ge 10000 ]
}

# measure NAME COMMAND...: its output, and its peak memory in KiB.
measure() {
    local name=$1
    shift
    "$build/bench/peak" "$work/$name.kib" "$@" <"$work/urls" >"$work/$name"
}

lines() {
    wc -l <"$1"
}

# 59226 -> 59,226
grouped() {
    sed -E ':again; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; t again' <<<"$1"
}

row() {
    local name=$1 label=$2 all unique mib
    all=$(lines "$work/urls")
    unique=$(lines "$work/$name")
    mib=$(awk '{ printf "%.1f", $1 / 1024 }' "$work/$name.kib")
    printf '  %-22s %9s %9s %9s MiB\n' "$label" \
        "$(grouped "$unique")" "$(grouped $((all - unique)))" "$mib"
}

command -v apt-cache >/dev/null ||
    stop "the URLs come from apt-cache, which only Debian and its kin have." \
        "Try your own: $seenset dedup -p 1e-9 --stats < a-file-of-lines"
read_urls || {
    echo "demo: this machine has no package lists yet; fetching them"
    "$here/deps.sh" lists
    read_urls || stop "apt-cache dumpavail has too few Homepage fields." \
        "Are there sources in /etc/apt? Try: apt-get update"
}

title "Have I seen this before?"
printf "  %s URLs, the home pages of this machine's packages, such as\n" \
    "$(grouped "$(lines "$work/urls")")"
sed -n '7p;4000p;9000p' "$work/urls" | sed 's/^/      /'

# shellcheck disable=SC2016 # awk's own $0
measure exact awk '!seen[$0]++'
measure ours "$seenset" dedup -n 100k -p 1e-9

title "                          unique   repeats   peak memory"
row exact 'awk, keeps every line'
row ours 'seenset dedup -p 1e-9'
echo
cmp "$work/exact" "$work/ours" ||
    stop "the two outputs differ: that must never be"
echo "  The two outputs are the same, byte for byte."

title "What seenset says about itself (--stats)"
"$seenset" dedup -n 100k -p 1e-9 --stats <"$work/urls" 2>&1 >/dev/null |
    sed 's/^./  &/'

for rate in 1% 0.01%; do
    title "And a billion URLs at $rate? (seenset plan -n 1G -p $rate)"
    "$seenset" plan -n 1G -p "$rate" | sed 's/^./  &/'
done
