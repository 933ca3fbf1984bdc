# needs: clock
# What was acked to be visited again comes when that time is over, whatever
# commands come in between, as if it had never been handed out.
. "$SEENSET_TEST_CLOCK"
printf 'http://a.example/changes\nhttp://a.example/stays\n' |
    seenset queue push -n 100 crawl
for i in 1 2; do
    seenset queue pop crawl | seenset queue nack crawl
done
seenset queue pop crawl | seenset queue ack --again-after 1d crawl
seenset queue pop --ack --deliveries crawl
seenset queue list crawl | cut -f 2,4-
seenset queue pop crawl
echo "at once: $?"
pass 86300
echo http://a.example/changes | seenset queue push -v crawl
seenset queue pop crawl
echo "after 86300 s: $?"
pass 200
seenset queue pop --deliveries crawl >popped
cut -f 2- popped
lease=$(cut -f 1 popped)
seenset queue nack --after 2 --to dead crawl "$lease"
lease=$(seenset queue pop crawl | cut -f 1)
seenset queue ack --again-after 0 crawl "$lease"
seenset queue ack crawl "$lease"
echo "no lease: $?"
seenset queue pop crawl | cut -f 1 | seenset queue ack crawl
seenset queue stat crawl | grep -E '^(pushed|acked|delayed) '
for time in -1 nan 2000000000 soon; do
    seenset queue ack --again-after "$time" crawl 1 2>&1 | head -n 1
done
