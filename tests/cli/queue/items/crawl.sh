# A crawl in shell: push, pop, ack, and one that comes back.
printf '%s\n' http://a.example/1 http://a.example/2 http://a.example/1 |
    seenset queue push -v -n 1000 crawl
seenset queue pop -n 5 crawl >popped
cut -f 2 popped
seenset queue pop crawl
echo "nothing: $?"
head -n 1 popped | seenset queue ack crawl
seenset queue nack crawl "$(sed -n 2p popped | cut -f 1)"
seenset queue pop --ack crawl
seenset queue stat crawl | head -n 5
seenset queue verify crawl
