# needs: clock
# A polite queue: hosts take turns, and none is asked too often.
. "$SEENSET_TEST_CLOCK"
stand 1000
urls() { printf 'http://%s.example/%s\n' a 1 a 2 a 3 b 1 b 2; }
pop() { seenset queue pop --host "$@" | cut -f 2-; }
urls | seenset queue push -n 1000 --polite=10 crawl
echo "== one of each host"
seenset queue pop -n 9 crawl >leases
cut -f 2 leases | sort
seenset queue pop crawl
echo "nothing now: $?"
seenset queue ack crawl <leases
pop crawl
echo "== after ten seconds"
stand 1010
seenset queue stat crawl | grep next_item
stand 1011
pop --deliveries -n 9 crawl | sort
seenset queue peek --host crawl
echo "peek: $?"
echo "== what is set for a host"
seenset queue host crawl A.example --delay 60 --block 1h --budget 2
seenset queue host crawl a.example
seenset queue host --json crawl a.example
seenset queue host crawl c.example
echo "not known: $?"
urls | sed s/1/7/ | seenset queue push --verbose crawl
printf 'http://a.example/%s\n' 8 9 | seenset queue push --verbose crawl
echo "over budget: $?"
echo "== hosts"
seenset queue hosts crawl
seenset queue hosts -n 1 crawl
seenset queue hosts --by next --all crawl
seenset queue hosts --by done crawl
seenset queue hosts --json crawl
seenset queue stat crawl | grep -E '^(host|over|next_item)'
seenset queue stat --json crawl | grep -o '"seconds_to_next.*_start":[a-z]*'
echo "== Retry-After"
seenset queue list crawl | grep leased | cut -f 1 >leases
seenset queue nack --untried --host-delay 120 crawl <leases
seenset queue host crawl b.example | grep next
stand 1132
pop crawl
echo "== to another queue, and back"
seenset queue remake --not-polite crawl plain
pop -n 9 plain
seenset queue remake --polite=5 --by host-port plain again
pop -n 9 again
seenset queue hosts again
seenset queue remake crawl same
seenset queue host same a.example | grep -E 'budget|delay'
seenset queue verify crawl
