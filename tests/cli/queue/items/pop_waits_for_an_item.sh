# pop --wait waits for what comes: a push, an item that is given back, a lease
# that ends; others have the queue meanwhile.
seenset queue push -n 100 crawl </dev/null
seenset queue pop --wait=0.1 crawl
echo "none came: $?"
# Waits in the background, and does that with the queue.
beside()
{
    seenset queue pop --wait=100 "$@" crawl >got &
    waiter=$!
}
got()
{
    wait $waiter
    echo "$1: $? $(cut -f 2 got)"
}
beside
echo http://a.example/pushed | seenset queue push crawl
got push
seenset queue nack --delay 0.2 crawl <got
beside
got delayed
cp got held # the one that waits writes another
beside
seenset queue nack crawl <held
got 'given back'
seenset queue ack crawl <got
echo http://a.example/leased | seenset queue push crawl
seenset queue pop --lease 0.2 crawl >first
beside --ack
wait $waiter
echo "lease ended: $? $(cat got)"

# Four wait, and four are pushed: one for each.
for i in 1 2 3 4; do
    seenset queue pop --wait crawl >got.$i &
done
for i in 1 2 3 4; do
    echo "http://a.example/$i" | seenset queue push crawl
done
wait
cut -f 2 got.* | sort

# A signal ends it at once, and nothing is taken along.
beside
kill $waiter
wait $waiter 2>err
echo "a signal: $?"
seenset queue stat crawl | grep -E '^(pending|leased) '
# Nothing to wait in.
seenset queue pop --wait=100 missing
echo "missing: $?"
beside
mv crawl elsewhere
wait $waiter
echo "gone meanwhile: $?"
