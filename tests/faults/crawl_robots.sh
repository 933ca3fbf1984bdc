#!/bin/sh
# The crawler of examples/ over a site with a robots.txt, a Crawl-delay, a part
# that is forbidden and answers with a Retry-After, killed with SIGKILL as it
# waits for one, and as it fetches. The judge has the site's own record: each
# page was fetched, none that is forbidden, and nothing too soon.
#
#     crawl_robots.sh <crawl> <python> [pages [kills]]      20 and 4
#
# Exit status 77: there is no Python.
set -eu
crawl=$1
python=$2
pages=${3:-20}
kills=${4:-4}
here=$(cd "$(dirname "$0")" && pwd)
command -v "$python" >/dev/null || {
    echo "SKIPPED: there is no $python"
    exit 77
}
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

# start_site NAME [bare]: its record is NAME.log, its queue NAME.
start_site() {
    name=$work/$1
    shift
    "$python" "$here/robots_site.py" "$pages" "$name.log" "$@" >"$name.port" &
    site_pid=$!
    until [ -s "$name.port" ]; do sleep 0.02; done
    url=http://127.0.0.1:$(cat "$name.port")/page/0
}

stop_site() {
    kill -9 "$site_pid"
    wait "$site_pid" 2>/dev/null || :
    site_pid=
}

# Without robots.txt there are 20 ms between two pages.
start_crawl() {
    "$crawl" -w 0.02 -r 1 -n 10000 "$name" "$url" >>"$name.visited" &
    crawl_pid=$!
}

# Each kill comes after a share of the requests, the odd ones right after an
# answer with Retry-After.
has_come_to() {
    [ "$(wc -l <"$name.log")" -ge "$1" ] || return 1
    [ $(($2 % 2)) = 0 ] || tail -n 1 "$name.log" | grep -qE ' (429|503) '
}

kill_in_between() {
    start_crawl
    until has_come_to $((2 * pages * $1 / (kills + 2))) "$1"; do
        kill -0 "$crawl_pid" 2>/dev/null || return 0
        sleep 0.01
    done
    kill -9 "$crawl_pid"
    wait "$crawl_pid" 2>/dev/null || :
}

finish() {
    start_crawl
    wait "$crawl_pid"
    crawl_pid=
}

# judge KILLS: what the record says. A fetch that a kill ended comes again.
judge() {
    awk -v pages="$pages" -v kills="$1" '
        answered && $1 < answered + $3 { early++ }
        { answered = $2 }
        $4 == 429 || $4 == 503 { refusals++ }
        $4 == 200 { count[$5]++ }
        $5 ~ "^/private/" && $5 !~ "^/private/open/" { forbidden++ }
        $5 == "/robots.txt" { robots++; next }
        $4 == 200 { again += count[$5] > 1 }
        END {
            for (page = 0; page < pages; page++) {
                missing += !(("/page/" page) in count)
                missing += !(("/private/open/" page) in count)
            }
            printf "%d kills: %d missing, %d fetched again, %d forbidden, ",
                kills, missing, again, forbidden
            printf "%d early; %d times Retry-After, %d times robots.txt\n",
                early, refusals, robots
            exit missing > 0 || again > kills || forbidden > 0 ||
                early > 0 || refusals < pages / 5 || robots < 2
        }' "$name.log"
}

start_site polite
for kill in $(seq "$kills"); do
    kill_in_between "$kill"
done
finish
judge "$kills"
stop_site

# Planted: without a robots.txt the crawler is too fast, and goes everywhere.
start_site bare bare
finish
! judge 0 >"$name.judged" && cat "$name.judged"
! grep -qE ' 0 (forbidden|early)' "$name.judged" || {
    echo "the judge cannot fail"
    exit 1
}
