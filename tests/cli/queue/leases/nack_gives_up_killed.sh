# nack --after N --to DEAD, killed at any moment: each item is in a queue, with
# its data, and in both only if the kill came between them.
seq 1 4000 | sed 's|.*|http://a.example/&\tpage &|' >items
seenset queue push --data -n 10k crawl <items
for delay in 0 0.002 0.004 0.006 0.008 0.01 0.015 0.02 0.03 0.04; do
    seenset queue pop -n 400 --lease 1000 crawl >popped
    seenset queue nack --after 1 --to dead crawl <popped 2>err &
    pid=$!
    sleep $delay
    kill -9 $pid 2>err
    wait $pid 2>err
    seenset queue export --data crawl >left
    [ -e dead/MANIFEST ] && seenset queue export --data dead >>left
    sort -u left | sort -t / -k 4 -n | cmp - items
done
# Those that a kill left in both are leased, and go when that is over.
seenset queue list crawl | grep leased | seenset queue nack crawl
until [ -z "$(seenset queue export -n 1 crawl)" ]; do
    seenset queue pop -n 400 crawl | seenset queue nack --after 1 --to dead crawl
done
seenset queue export --data dead | sort -u | sort -t / -k 4 -n | cmp - items
seenset queue verify crawl >sound && seenset queue verify dead >>sound && wc -l <sound
