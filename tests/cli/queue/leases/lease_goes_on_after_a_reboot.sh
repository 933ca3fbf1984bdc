# needs: clock
# A machine that was up for a year is started anew: what was left of a lease
# and of a delay is what they still have, less the time it was down.
. "$SEENSET_TEST_CLOCK"
printf 'http://a.example/leased\nhttp://a.example/nacked\n' |
    seenset queue push -n 100 crawl
pass 31536000
seenset queue pop --lease 100 crawl >/dev/null
nacked=$(seenset queue pop crawl | cut -f 1)
seenset queue nack --delay 600 crawl "$nacked"
reboot 30
seenset queue pop crawl
echo "at once: $?"
pass 80
seenset queue pop --ack crawl
echo "after 80 s: $?"
seenset queue pop crawl
echo "and more: $?"
pass 500
seenset queue pop --ack crawl
echo "after 580 s: $?"
