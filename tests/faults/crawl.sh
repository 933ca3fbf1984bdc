#!/bin/sh
# The crawler of examples/ over a site of 10,000 pages with cycles, killed with
# SIGKILL in mid-crawl, again and again, and started again each time. In the
# end the site has been asked for every page, and for none twice but those
# whose lease was out at a kill: at most one for each.
#
#     crawl.sh <crawl> <crawl_site> [seed]
set -eu
crawl=$1
site=$2
seed=${3:-1}
kills=24
work=$(mktemp -d)
site_pid=
crawl_pid=
end() {
    # shellcheck disable=SC2086 # each is a word or nothing
    kill -9 $crawl_pid $site_pid 2>/dev/null || :
    rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM
echo "seed $seed"

# start_site PAGES [HIDDEN]: sets site_pid, url and log.
sites=0
start_site() {
    sites=$((sites + 1))
    log=$work/log$sites
    "$site" "$@" >"$log" &
    site_pid=$!
    until grep -q '^port' "$log"; do sleep 0.01; done
    url=http://127.0.0.1:$(sed -n 's/^port //p' "$log")/page/0
}

stop_site() {
    kill -9 "$site_pid"
    wait "$site_pid" 2>/dev/null || :
    site_pid=
}

# start_crawl OPTION...: in the background, on the queue of this site.
start_crawl() {
    "$crawl" -w 0 -r 0.2 -n 100000 "$@" "$work/queue$sites" "$url" \
        >"$work/visited" &
    crawl_pid=$!
}

# kill_after REQUESTS SECONDS: once the site was asked that often, and a
# moment later. Fails if the crawler had finished by then.
kill_after() {
    while kill -0 "$crawl_pid" 2>/dev/null &&
        [ "$(wc -l <"$log")" -lt "$1" ]; do
        sleep 0.01
    done
    sleep "$2"
    kill -9 "$crawl_pid" 2>/dev/null || return 1
    status=0
    wait "$crawl_pid" 2>/dev/null || status=$?
    crawl_pid=
    case $status in
    137) return 0 ;;
    0) return 1 ;;
    esac
    echo "the crawler ended with status $status"
    exit 1
}

# judge LOG PAGES KILLS: the oracle. Says what is wrong and fails, or says
# what it counted.
judge() {
    awk -v pages="$2" -v kills="$3" '
        $1 == 200 || $1 == 404 { count[$0]++ }
        $1 == 503 { failed++ }
        END {
            for (page = 0; page < pages; page++)
                if (!(("200 " page) in count)) {
                    missing++
                    example = page
                }
            for (asked in count)
                again += count[asked] - 1
            printf "%d kills: %d of %d pages missing", kills, missing, pages
            if (missing)
                printf " (%d, for one)", example
            printf ", %d fetched again, %d failed at first\n", again, failed
            exit missing > 0 || again > kills
        }' "$1"
}

must_fail() {
    if "$@"; then
        echo "the oracle can't fail: it missed a planted fault"
        exit 1
    fi
}

# The real thing. Each kill comes after up to 780 more requests, so that they
# are spread over the crawl, and at a moment of up to 20 ms that may fall into
# anything: a fetch, a push, an ack, the opening of the queue.
start_site 10000
awk -v seed="$seed" -v kills="$kills" 'BEGIN {
    srand(seed)
    for (i = 0; i < kills; i++)
        print int(rand() * 780), rand() * 0.02 }' >"$work/moments"
killed=0
while read -r requests moment; do
    start_crawl
    kill_after $(($(wc -l <"$log") + requests)) "$moment" || break
    killed=$((killed + 1))
done <"$work/moments"
[ -n "$crawl_pid" ] || start_crawl
wait "$crawl_pid"
crawl_pid=
judge "$log" 10000 "$killed"
[ "$killed" -ge 5 ] || {
    echo "only $killed kills: the crawl was over too soon"
    exit 1
}
# Another start finds nothing to do.
asked=$(wc -l <"$log")
start_crawl
wait "$crawl_pid"
crawl_pid=
[ "$(wc -l <"$log")" = "$asked" ]
stop_site

# Planted faults, on smaller sites. A page that cannot be found is missed.
start_site 300 299
start_crawl
wait "$crawl_pid"
must_fail judge "$log" 300 0
stop_site

# One page under several spellings is fetched again and again.
start_site 300
start_crawl -x
wait "$crawl_pid"
must_fail judge "$log" 300 0
stop_site

# Without waiting for the disk, a killed crawler forgets what it did.
start_site 300
start_crawl -d none -w 0.01
kill_after 200 0 || :
start_crawl
wait "$crawl_pid"
crawl_pid=
must_fail judge "$log" 300 1
