# needs: glibc
# stat --watch looks again and again, without the lock: a line each time, and
# what was done by the second since the last one.
seq 1000 | seenset queue push -n 10k crawl
flock crawl/LOCK seenset queue stat --watch=0.01 -n 3 crawl |
    sed 's/[0-9.]*\/s/R/g'
# The first has no look to compare with; a push in between can be seen.
mkfifo looks
seenset queue stat --json --watch=0.05 crawl >looks &
watcher=$!
exec 3<looks
read -r line <&3
echo "$line" | grep -o '"[a-z]*_per_second":[^,}]*'
seq 1001 1500 | seenset queue push crawl
seenset queue pop -n 100 --ack crawl >popped
pushed=
while [ "$pushed" != 1500 ]; do
    read -r line <&3
    pushed=$(echo "$line" | grep -o '"pushed":[0-9]*' | cut -d : -f 2)
    rate=$(echo "$line" | grep -o '"pushed_per_second":[^,]*' | cut -d : -f 2)
done
awk -v rate="$rate" 'BEGIN { print (rate > 0 ? "a rate" : rate) }'
kill $watcher
wait $watcher 2>err
echo "a signal: $(($? > 128))"
exec 3<&-
# It ends when there is no queue any more, and without a reader.
seenset queue stat --watch=0.01 crawl >lines 2>why &
watcher=$!
until [ -s lines ]; do sleep 0.01; done
seenset queue delete --force crawl
wait $watcher
echo "deleted: $? $(wc -l <why)"
seq 5 | seenset queue push other
seenset queue stat --watch=0.01 other | head -n 2
for bad in --watch=0 --watch=-1 --watch=soon --watch=nan '-n 3' '--watch -n 0'; do
    seenset queue stat $bad other 2>&1 | head -n 1
done
seenset queue stat --watch=0.01 -n 2 other >/dev/full
echo "not written: $?"
