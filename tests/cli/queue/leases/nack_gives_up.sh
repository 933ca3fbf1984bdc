# needs: urls
# nack --after N --to DEAD: what was handed out N times goes to another queue,
# with its data; it is on the disk there before it is acked here.
printf 'http://a.example/%s\tfrom %s\n' 1 1 2 2 3 3 |
    seenset queue push --data -n 100 crawl
seenset queue pop -n 2 crawl >popped
seenset queue nack --after 2 --to dead crawl <popped
ls
for turn in 2 3; do
    seenset queue pop --deliveries -n 3 crawl >popped
    cut -f 2- popped
    seenset queue nack --after 3 --to dead crawl <popped
    echo "$turn: $?"
done
seenset queue list --data dead
seenset queue export crawl
seenset queue stat crawl | grep -E '^(pending|leased|acked) '
# What is given up again is there again, whatever was seen.
seenset queue pop --ack -n 9 dead >/dev/null
echo http://a.example/1 | seenset queue push --again crawl
seenset queue pop -n 9 crawl >popped
seenset queue nack --after 1 --to dead crawl $(cut -f 1 popped) 12345
echo "one is no lease: $?"
seenset queue export dead | sort
# The other queue does not take it: it stays here.
echo http://a.example/ | seenset queue push -n 1 --on-full refuse full
printf 'x\ny\n' | seenset queue push crawl
seenset queue pop -n 2 crawl >popped
seenset queue nack --after 1 --to full crawl <popped
echo "full: $?"
seenset queue push --normalise url urls </dev/null
seenset queue pop -n 2 crawl >popped
seenset queue nack --after 1 --to urls crawl <popped
echo "not URLs: $?"
seenset queue pop -n 2 crawl >popped
mkdir papers
echo mine >papers/draft
seenset queue nack --after 1 --to papers crawl <popped
echo "not a queue: $?"
seenset queue export crawl
# A killed command leaves it in both, and never in none.
seenset queue pop -n 1 crawl >popped
flock dead/LOCK -c 'exec sleep 600' &
holder=$!
until seenset queue push --wait=0 dead </dev/null 2>&1 | grep -q 'in use'; do
    sleep 0.01
done
seenset queue nack --wait=0 --after 1 --to dead crawl <popped
echo "in use: $?"
kill $(ps -o pid= --ppid $holder) $holder
wait $holder 2>err
seenset queue export crawl
for bad in '--after 2 crawl' '--to dead crawl' '--after 0 --to dead crawl' \
    '--after x --to dead crawl' '--after 2 --to crawl/ crawl' \
    '--after 2 --to dead'; do
    seenset queue nack $bad </dev/null 2>&1 | head -n 1
done
