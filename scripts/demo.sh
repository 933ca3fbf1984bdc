#!/bin/bash
# A stream of real URLs loses its duplicates: the home pages of all packages in
# this machine's Debian package lists. An awk that keeps every line computes
# the exact answer, and the two outputs must agree to the byte. Then the same
# with fifty pages of each site, where keeping every line takes memory.
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

# Fails where apt has no lists yet: then it knows only what is installed.
read_urls() {
    apt-cache dumpavail | sed -n 's/^Homepage: *//p' >"$work/urls"
    [ "$(wc -l <"$work/urls")" -ge 10000 ]
}

# Each URL with fifty page numbers after it.
read_pages() {
    awk '{ for (i = 1; i <= 50; i++) print $0 "?page=" i }' "$work/urls" \
        >"$work/pages"
}

# measure STREAM NAME COMMAND...: its output, what it printed on standard
# error, and its peak memory in KiB.
measure() {
    local stream=$1 name=$2
    shift 2
    "$build/bench/peak" "$work/$name.kib" "$@" <"$work/$stream" \
        >"$work/$name" 2>"$work/$name.stats"
}

lines() {
    wc -l <"$1"
}

# 59226 -> 59,226
grouped() {
    sed -E ':again; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; t again' <<<"$1"
}

# row STREAM NAME LABEL: what that command made of the stream.
row() {
    local all unique mib
    all=$(lines "$work/$1")
    unique=$(lines "$work/$2")
    mib=$(awk '{ printf "%.0f", $1 / 1024 }' "$work/$2.kib")
    printf '  %-24s %11s %11s %9s MiB\n' "$3" "$(grouped "$unique")" \
        "$(grouped $((all - unique)))" "$mib"
}

# compare STREAM KEYS RATE: both commands on a stream, side by side.
compare() {
    # shellcheck disable=SC2016 # awk's own $0
    measure "$1" exact awk '!seen[$0]++'
    measure "$1" ours "$seenset" dedup --stats -n "$2" -p "$3"
    title "                                unique     repeats   peak memory"
    row "$1" exact "awk, keeps every line"
    row "$1" ours "seenset dedup -p $3"
    cmp "$work/exact" "$work/ours" ||
        stop "the two outputs differ, which is a bug; please report it"
    echo "  The two outputs are the same, byte for byte."
}

command -v apt-cache >/dev/null ||
    stop "the URLs come from apt-cache, which is not here." \
        "Try lines of yours: $seenset dedup -p 1e-9 --stats < FILE"
read_urls || {
    echo "demo: this machine has no package lists yet, so they are fetched"
    "$here/deps.sh" lists
    read_urls || stop "apt-cache dumpavail has too few Homepage fields." \
        "Are there sources in /etc/apt? Try: apt-get update"
}

title "Have I seen this before?"
printf "  %s URLs, the home pages of the packages of this system, such as\n" \
    "$(grouped "$(lines "$work/urls")")"
sed -n '7p;4000p;9000p' "$work/urls" | sed 's/^/      /'
compare urls 100k 1e-9

read_pages
title "Fifty pages of each: $(grouped "$(lines "$work/pages")") URLs"
compare pages 2M 1e-9

title "What seenset reports about itself (--stats)"
sed 's/^./  &/' "$work/ours.stats"

title "How large for a billion URLs? (seenset plan -n 1G -p 1%)"
"$seenset" plan -n 1G -p 1% | sed 's/^./  &/'

title "What next?"
cat <<END
  make web-serve                 the same in a browser: see it, size it, use it
  $seenset help     what the command can do
  make check                     the quick tests
  sudo make install              puts it into /usr/local
END
