# needs: clock
# A lease and a delay last as long as they were given for, whatever commands
# come in between; the worker that has the lease can ack.
. "$SEENSET_TEST_CLOCK"
printf 'http://a.example/leased\nhttp://a.example/nacked\n' |
    seenset queue push -n 100 crawl
leased=$(seenset queue pop --lease 3600 crawl | cut -f 1)
nacked=$(seenset queue pop crawl | cut -f 1)
seenset queue nack --delay 600 crawl "$nacked"
seenset queue pop crawl
pass 62
seenset queue pop crawl
echo "after 62 s: $?"
pass 537
seenset queue pop crawl
echo "after 599 s: $?"
pass 2
seenset queue pop --ack crawl
echo "after 601 s: $?"
pass 2990
seenset queue pop crawl
echo "after 3591 s: $?"
seenset queue ack crawl "$leased"
echo "acked: $?"
pass 3600
seenset queue pop crawl
echo "after 7191 s: $?"
