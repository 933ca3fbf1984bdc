# needs: glibc
# What is in a queue, without a lease: list, export for another queue, peek.
printf 'http://a.example/%s\tdepth %s\n' 1 1 2 2 3 3 |
    seenset queue push --data -n 100 crawl
printf 'http://a.example/urgent\tdepth 0\n' |
    seenset queue push --data --priority 9 crawl
seenset queue peek crawl
seenset queue peek --json --data --deliveries crawl
seenset queue pop --lease 1000 crawl >urgent
seenset queue pop crawl >first
seenset queue nack --delay 1000 crawl <first
seenset queue list crawl | sed 's/^[0-9][0-9]*/LEASE/; s/\t[0-9]\{3,\}/\tN/'
seenset queue list -n 2 --data crawl | cut -f 6-
seenset queue list --json --data -n 1 crawl |
    sed 's/"lease":[0-9]*/"lease":L/; s/9[0-9][0-9]\.[0-9]*/S/'
seenset queue list --priority 9 crawl | cut -f 6
# A line of list frees the lease of a worker that died.
seenset queue list crawl | grep leased | seenset queue nack crawl
seenset queue list crawl | cut -f 2 | sort | uniq -c
# Export takes no lock, and another queue takes what it prints.
flock crawl/LOCK seenset queue export --data crawl |
    seenset queue push --data -n 100 other
seenset queue pop --ack --data -n 9 other
seenset queue export -n 1 crawl
seenset queue peek other
echo "nothing to peek at: $?"
seenset queue list other
echo "nothing to list: $?"
# Bytes that are not a line are left out, and said.
printf 'a\tb\n' | seenset queue push -n 100 tabs
seenset queue export tabs
seenset queue export --data tabs
echo "a TAB: $?"
for bad in 'list' 'list missing' 'list -n 0 crawl' 'list --priority 10 crawl' \
    'list --priority x crawl' 'list a b' 'export' 'export missing' \
    'export --json crawl' 'peek' 'peek missing' 'peek a b'; do
    seenset queue $bad >out 2>err
    echo "$? $(wc -c <out) $(head -n 1 err)"
done
seenset queue list crawl >/dev/full
echo "not written: $?"
seq 10000 | seenset queue push crawl
# longer than what stdio keeps
for command in list export; do
    seenset queue $command crawl >/dev/full
    echo "a long $command, not written: $?"
done
seenset queue list crawl | head -n 1 | cut -f 6
