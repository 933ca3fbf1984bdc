# needs: speed
# Two workers, a slow push and stat --watch share a queue for SECONDS (10; for
# ten minutes: workers_share_for_a_while.sh 600). No command fails, nothing is
# lost, and nothing is handed out after its ack. Every seventh turn of a worker
# gives its items back, every eleventh leaves them to the end of their lease.
seconds=${1:-10}
end=$(($(date +%s) + seconds))
seenset queue push -n 100k -p 1e-9 crawl </dev/null
failed()
{
    echo "$*" >>failures
}
produce() # each URL twice, slowly
{
    i=0
    while [ "$(date +%s)" -lt $end ]; do
        i=$((i + 1))
        echo "http://a.example/$i"
        [ $i -lt 4 ] || echo "http://a.example/$((i - 3))"
        echo "http://a.example/$i" >>pushed
        sleep 0.0$((i % 9))
    done
}
# Pops are noted before anything is done with them, acks after they are done.
# Those of a short lease are not: it may end before the note is written.
work()
{
    turn=0
    while :; do
        turn=$((turn + 1))
        lease=600
        [ $((turn % 11)) -ne 0 ] || lease=1
        seenset queue pop --wait=3 -n $((turn % 4 + 1)) --lease $lease crawl \
            >batch.$1
        status=$?
        if [ $status = 1 ]; then
            [ "$(date +%s)" -lt $end ] && [ ! -e pushed.all ] || break
            continue
        fi
        [ $status = 0 ] || failed "pop: $status"
        [ $lease = 600 ] || continue
        sed 's/^[0-9]*./pop /' batch.$1 >>events
        if [ $((turn % 7)) = 0 ]; then
            seenset queue nack crawl <batch.$1 || failed "nack: $?"
            continue
        fi
        seenset queue ack crawl <batch.$1 || failed "ack: $?"
        sed 's/^[0-9]*./ack /' batch.$1 >>events
    done
}
seenset queue stat --watch=0.1 crawl >looks &
watcher=$!
{ produce | seenset queue push crawl || failed "push: $?"; : >pushed.all; } &
pusher=$!
work 1 &
first=$!
work 2 &
second=$!
wait $pusher $first $second
until [ "$(wc -l <looks)" -gt $seconds ] || ! kill -0 $watcher; do
    sleep 0.1
done
kill -0 $watcher || failed "stat --watch ended"
kill $watcher
wait $watcher 2>err

# What the events must be: each URL acked once, and no pop of it after that.
judge() # EVENTS
{
    awk 'NR == FNR { was_pushed[$1] = 1; next }
        !($2 in was_pushed) { print $2 " was not pushed" }
        $2 in acked { print $1 " after the ack of " $2 }
        $1 == "ack" { acked[$2] = 1 }
        END { for (url in was_pushed) if (!(url in acked)) print url " lost" }' \
        pushed "$1" | sort | head -n 5
}
[ ! -e failures ] || sort failures | uniq -c
judge events
seenset queue stat crawl | grep -E '^(pending|leased) '
seenset queue verify crawl | cut -d , -f 1
echo "looked"
[ "$(seenset queue stat --json crawl | grep -o '"acked":[0-9]*')" = \
    "\"acked\":$(wc -l <pushed)" ] && echo "all acked"
# Planted: an item that is lost, and one that comes after its ack.
url=$(tail -n 1 pushed)
grep -vFx "ack $url" events >planted
judge planted | grep -c "$url lost"
{ cat events; echo "pop $url"; } >planted
judge planted | grep -c "pop after the ack of $url"
[ $# = 0 ] || echo "$(wc -l <pushed) pushed, $(grep -c ^pop events) popped," \
    "$(wc -l <looks) looks"
