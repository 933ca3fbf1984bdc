# pop --wait waits until a host may be asked again.
printf 'http://a.example/%s\n' 1 2 | seenset queue push -n 100 --polite=0.4 crawl
seenset queue pop --ack crawl
seenset queue pop crawl
echo "now: $?"
seenset queue pop --ack --wait=60 crawl
echo "in a while: $?"
