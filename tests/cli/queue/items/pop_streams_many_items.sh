# More items than one text has: their leases are taken in bulk, and what is
# printed is all, in order, once, and leased.
awk 'BEGIN { for (x = "0123456789"; length(x) < 8000; x = x x) ;
             for (i = 0; i < 6000; i++) print "http://a.example/" i "/" x }' >urls
seenset queue push -n 10k crawl <urls
cp -r crawl again
seenset queue pop -n 7000 --lease 3600 crawl >popped
echo $?
cut -f 2 popped | cmp - urls
seenset queue stat crawl | grep -E '^(pending|leased)'
cut -f 1 popped | seenset queue ack crawl
seenset queue stat crawl | grep -E '^(pending|leased|acked)'
# The log went, too.
[ "$(cat crawl/log-* | wc -c)" -lt 8500000 ] && echo small
# The reader goes away after 5,000: what is not in the pipe is given back.
cp -r again crawl2
{ seenset queue pop -n 6000 --lease 3600 crawl2; echo $? >status; } |
    head -n 5000 | cut -f 2 >first
cat status
seenset queue pop -n 6000 --lease 3600 crawl2 | cut -f 2 >second
cat first second | sort | uniq -d
[ "$(wc -l <second)" -gt 980 ] && [ "$(wc -l <second)" -le 1000 ] && echo back
# Nothing is printed: nothing is leased.
seenset queue pop -n 6000 again >/dev/full
echo $?
seenset queue stat again | grep -E '^(pending|leased)'
# A slow reader, and all that was printed is done.
seenset queue pop -n 6000 --ack again | { sleep 0.2 && cut -f 1 >popped; }
cmp popped urls
seenset queue stat again | grep -E '^(pending|leased|acked)'
