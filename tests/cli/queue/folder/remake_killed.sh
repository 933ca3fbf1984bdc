# remake, killed at any moment: NEW is a whole queue, or refused; it can be
# deleted and made again. DIR has all its items.
seq 1 3000 | sed 's|^|http://a.example/|' >urls
seenset queue push -n 100k -p 1e-6 crawl <urls
seenset queue pop -n 1000 crawl >popped
seenset queue ack crawl <popped
# The list waits for its end, so that the command is there to be killed.
for turn in 1 2 3; do
    mkfifo list
    seenset queue remake -n 200k --from list crawl new >out 2>&1 &
    pid=$!
    exec 3>list
    head -n 100 urls >&3
    until ls new/log-* >/dev/null 2>&1; do sleep 0.01; done
    kill -9 $pid
    wait $pid 2>/dev/null
    exec 3>&-
    rm list
    seenset queue list new >items 2>&1
    echo "list: $?"
    seenset queue pop new >items 2>&1
    echo "pop: $?"
    seenset queue remake crawl new
    echo "remake: $?"
    seenset queue delete --force new
done
tail -n 2000 urls >wanted
for delay in 0 0.005 0.01 0.02 0.03 0.05; do
    rm -rf new
    seenset queue remake -n 200k crawl new >out 2>&1 &
    pid=$!
    sleep $delay
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    if seenset queue export new >items 2>/dev/null; then
        cmp wanted items
        seenset queue push -v new <urls | grep NEW
    fi
done
rm -rf new
seenset queue remake -n 200k crawl new
seenset queue export new | cmp - wanted
seenset queue export crawl | cmp - wanted
echo "new: $(seenset queue push -v new <urls | grep -c NEW)"
