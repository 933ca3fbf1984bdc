# Every option of push, pop, ack and nack, from arguments and from lines.
many()
{
    awk 'BEGIN { for (i = 1; i <= 5000; i++) print "item " i }'
}
many | seenset queue push -n 10k -p 1e-4 --on-full degrade --normalise off \
    --durability interval crawl
many | seenset queue push --durability none crawl
seenset queue push -n 9k crawl </dev/null
echo "another size: $?"
seenset queue pop -n 3000 --lease 1y crawl 2>&1 | head -n 1
seenset queue pop -n 3000 --lease 3600 crawl >popped
cut -f 1 popped | sort -u | wc -l
head -n 2500 popped | seenset queue ack crawl
seenset queue nack crawl $(sed -n 2501,2502p popped | cut -f 1)
seenset queue nack --delay 0 crawl $(sed -n 2503p popped | cut -f 1) nonsense
echo "one is no lease: $?"
printf 'x\n99999999999999999999\n-1\n' | seenset queue ack crawl
echo "none is a lease: $?"
seenset queue ack crawl 1
echo "ended before: $?"
seenset queue nack crawl 1
echo "ended before: $?"
seenset queue pop --ack -n 1500 crawl | wc -l
seenset queue stat --json crawl | tr '{,' '\n\n' |
    grep -E '^"(pending|leased|pushed|acked|capacity|promised_rate)"'
printf 'a\tdeep 1\nb\n' | seenset queue push --data -n 10 tabs
seenset queue pop --ack --data -n 5 tabs
