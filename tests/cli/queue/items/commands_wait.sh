# A queue is open in one process at a time; the others wait for it, and one
# that waits for input lets go of it.
hold() # what has the queue open for SECONDS, or until it is killed
{
    flock "$1/LOCK" -c "echo held; exec sleep $2" >held &
    holder=$!
    until [ -s held ]; do sleep 0.01; done
}
printf '%s\n' 1 2 3 4 | seenset queue push -n 1000 crawl
hold crawl 600
seenset queue stat crawl | head -n 1
seenset queue pop --wait=0 crawl
echo "not waiting: $?"
seenset queue pop --wait=0.2 crawl
echo "not long enough: $?"
for call in push ack nack verify repair; do
    seenset queue $call --wait=0 crawl </dev/null
    echo "$call: $?"
done
kill $(ps -o pid= --ppid $holder) $holder
wait $holder 2>err
hold crawl 0.3
seenset queue pop --ack crawl
echo "waited: $?"
hold crawl 0.3
seenset queue push --wait crawl </dev/null
echo "waited: $?"
seenset queue pop --wait=soon crawl 2>&1 | head -n 1

# A producer that is slow: what it said is in the queue, which is free.
mkfifo lines
: >answers
seenset queue push -v crawl <lines >answers &
exec 3>lines
for line in one two; do
    echo $line >&3
    until [ "$(tail -n 1 answers)" = "NEW	$line" ]; do sleep 0.01; done
    seenset queue pop -n 9 --ack crawl | tail -n 1
done
exec 3>&-
wait $!
echo "the slow one: $?"
# The same for leases.
printf '%s\n' a b c | seenset queue push crawl
seenset queue pop -n 3 crawl >popped
seenset queue ack crawl <lines &
exec 3>lines
head -n 1 popped >&3
until seenset queue stat crawl | grep -q 'leased  *2'; do sleep 0.01; done
sed 1d popped >&3
exec 3>&-
wait $!
echo "the slow one: $?"
seenset queue stat crawl | grep leased

# One that is fast lets others have their turn.
yes again | seenset queue push crawl &
feeder=$!
until seenset queue pop crawl >popped; do sleep 0.01; done
seenset queue ack crawl <popped
echo "beside a fast one: $?"
kill $feeder
wait $feeder 2>err

# Two workers, 400 pops: none fails.
pops=$((400 / SEENSET_TEST_STEP))
seq $pops | seenset queue push -n 1000 shared
work()
{
    for i in $(seq $((pops / 2))); do
        seenset queue pop --ack shared || echo "pop: $?"
    done
}
work >first &
work >second
wait $!
[ "$(sort -n first second | uniq | wc -l)" = $pops ] && echo each
grep pop first second
[ "$(wc -l <first)" = "$(wc -l <second)" ] && echo both
