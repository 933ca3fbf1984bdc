# How often an item was handed out, beside its lease, alone and in JSON; a URL
# that is not UTF-8 is there in base64.
printf 'http://a.example/1\tdepth "1"\nb\377\\\n' |
    seenset queue push --data -n 100 crawl
for i in 1 2; do
    seenset queue pop -n 9 --deliveries --data crawl >popped
    cut -f 2- popped | od -c -A n
    seenset queue nack crawl <popped
done
seenset queue pop --deliveries -n 9 crawl >popped
head -n 1 popped | seenset queue ack crawl
tail -n 1 popped | seenset queue nack crawl
seenset queue pop --json crawl >json
sed 's/"lease":[0-9]*/"lease":L/' json
grep -o '"lease":[0-9]*' json | cut -d : -f 2 | seenset queue nack crawl
seenset queue pop --json --ack crawl
echo http://a.example/3 | seenset queue push crawl
seenset queue pop --ack --deliveries crawl
seenset queue stat crawl | grep acked
