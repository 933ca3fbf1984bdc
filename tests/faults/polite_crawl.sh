#!/bin/sh
# A real crawl by three workers that share a polite queue, each a loop in shell,
# over 50 sites that answer 429 to whoever is too fast. Workers are killed with
# SIGKILL, one or all three, again and again. The judge has the sites' own log:
# each page was fetched, no host was asked too soon, and what a host that wants
# more time has answered once it does not have to answer again.
#
#     polite_crawl.sh <seenset> <python> [pages [kills]]      300 and 4
#
# Needs curl. Exit status 77: it is not there.
set -eu
seenset=$1
python=$2
pages=${3:-300}
kills=${4:-4}
here=$(cd "$(dirname "$0")" && pwd)
for needed in curl "$python"; do
    command -v "$needed" >/dev/null || {
        echo "SKIPPED: there is no $needed"
        exit 77
    }
done
work=$(mktemp -d)
site_pid=
workers=
end() {
    for pid in $workers; do
        kill -s KILL -- "-$pid" 2>/dev/null || :
    done
    [ -z "$site_pid" ] || kill -9 "$site_pid" 2>/dev/null || :
    rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM

# One worker, in a folder of its own: a batch of pages, at most one of a host;
# their links, then they are done. A host that answers 429 gets the time that it
# asks for, from now on.
cat >"$work/worker" <<'EOS'
while [ ! -e ../stop ]; do
    "$seenset" queue pop -n 10 --wait=1 --lease 3600 ../crawl >batch || {
        [ $? = 1 ] || exit 2
        continue
    }
    cut -f 2 batch | sed 's/.*/url = "&"/' |
        curl -s --connect-to "::127.0.0.1:$port" -K - \
            -w '> %{http_code} %header{retry-after}\n' >answers
    awk 'NR == FNR { lease[NR] = $1; split($2, url, "/"); host[NR] = url[3]
                     next }
         !/^> / { links = links $0 "\n"; next }
         { at++ }
         $2 == 200 { printf "%s", links >"links"; print lease[at] >"done" }
         $2 == 429 { print host[at], $3, lease[at] >"later" }
         { links = "" }' batch answers
    touch links done later
    "$seenset" queue push ../crawl <links &&
        "$seenset" queue ack ../crawl <done || exit 2
    while read -r host seconds lease; do
        "$seenset" queue host ../crawl "$host" --delay "$seconds" &&
            "$seenset" queue nack --untried --host-delay "$seconds" ../crawl \
                "$lease" || exit 2
    done <later
    rm -f links done later
done
EOS

start_site() {
    mkdir "$work/$1"
    cd "$work/$1"
    "$python" "$here/polite_site.py" "$2" log >port &
    site_pid=$!
    until [ -s port ]; do sleep 0.02; done
    port=$(cat port)
    export port seenset
    echo http://h0.example/page/0 |
        "$seenset" queue push -n 10k "$3" crawl
}

stop_site() {
    kill -9 "$site_pid"
    wait "$site_pid" 2>/dev/null || :
    site_pid=
}

# start_worker NUMBER
start_worker() {
    mkdir -p "$1"
    rm -f "$1"/*
    (cd "$1" && exec setsid sh "$work/worker") &
    workers="$workers $!"
}

start_workers() {
    workers=
    for number in 1 2 3; do
        start_worker $number
    done
}

# All that the killed asked for was answered, so nothing of theirs comes later;
# and the log says that there was a kill.
mark() {
    curl -s -o sync --connect-to "::127.0.0.1:$port" http://sync.example/
}

# What they had can be handed out again, and counts as asked now.
give_back() {
    "$seenset" queue list crawl | grep leased | cut -f 1 >stuck || :
    "$seenset" queue nack crawl <stuck
}

kill_all() {
    for pid in $workers; do
        kill -s KILL -- "-$pid" 2>/dev/null || :
        wait "$pid" 2>/dev/null || :
    done
    mark
    give_back
    start_workers
}

# The first one only; what it has is given back with the next others.
kill_one() {
    pid=${workers# }
    pid=${pid%% *}
    kill -s KILL -- "-$pid" 2>/dev/null || :
    wait "$pid" 2>/dev/null || :
    workers=${workers#*"$pid"}
    mark
    killed_ones=$((killed_ones + 1))
    start_worker "4.$killed_ones"
}

fetched() {
    wc -l <log
}

has_more() {
    "$seenset" queue stat crawl |
        awk '$1 == "pending" || $1 == "leased" { left += $2 }
             END { exit left == 0 }'
}

# wait_while COMMAND...: for at most ten minutes.
wait_while() {
    turns=0
    while "$@"; do
        sleep 0.1
        turns=$((turns + 1))
        [ $turns -lt 6000 ] || {
            echo "it does not come to an end"
            exit 1
        }
    done
}

fewer_than() {
    [ "$(fetched)" -lt "$1" ]
}

# crawl KILLS
crawl() {
    killed_ones=0
    start_workers
    for kill in $(seq "$1"); do
        wait_while fewer_than $((kill * pages / ($1 + 1)))
        if [ $((kill % 2)) = 1 ] && [ "$kill" != "$1" ]; then
            kill_one
        else
            kill_all
        fi
    done
    wait_while has_more
    touch stop
    for pid in $workers; do
        wait "$pid"
    done
    workers=
}

# judge PAGES KILLS: what the sites' log says. A host is asked too early once,
# since only its answer says how much time it wants; and once more after a kill,
# if the killed worker was about to write that down.
judge() {
    awk -v pages="$1" -v kills="$2" '
        $1 == "kill" { epoch++; next }
        {
            limit = substr($4, 2) % 5 == 0 ? 900 : 100
            if ($4 in answered && $1 < answered[$4] + limit) {
                often += $4 in early && early[$4] == epoch + 0
                early[$4] = epoch + 0
            }
            answered[$4] = $2
        }
        $3 == 200 { count[$5]++ }
        $3 == 429 { refusals++ }
        END {
            for (page = 0; page < pages; page++)
                missing += !(page in count)
            for (page in count)
                again += count[page] - 1
            printf "%d kills: %d of %d pages missing, %d fetched again, ",
                kills, missing, pages, again
            printf "%d answers 429, %d after one that was heard\n",
                refusals, often
            exit missing > 0 || often > 0 || again > kills * 30
        }' log
}

start_site crawl "$pages" --polite=0.1
crawl "$kills"
judge "$pages" "$kills"
! judge 100000 "$kills" >missed || {
    echo "the judge cannot fail: it misses no page"
    exit 1
}
stop_site

# Planted: a queue that is not polite. Twenty pages of one host in a row.
start_site hasty 1000 --normalise=off
seq -f http://h0.example/page/%.0f 0 50 950 | "$seenset" queue push crawl
"$seenset" queue pop -n 100 crawl | cut -f 2 | sed 's/.*/url = "&"/' |
    curl -s --connect-to "::127.0.0.1:$port" -K - -o answers
! judge 0 0 || {
    echo "the judge cannot fail: it sees no host that is asked too early"
    exit 1
}
