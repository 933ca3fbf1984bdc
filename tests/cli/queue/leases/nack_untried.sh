# What was given back untried is no delivery: it is not given up for it.
echo http://a.example/page | seenset queue push -n 100 crawl
lease()
{
    seenset queue pop --deliveries crawl | tee -a popped | cut -f 1
}
for i in 1 2 3; do
    seenset queue nack --untried crawl "$(lease)"
done
seenset queue nack --after 2 --to dead crawl "$(lease)"
seenset queue nack --untried crawl "$(lease)"
last=$(lease)
seenset queue nack --after 2 --to dead crawl "$last"
cut -f 2- popped
echo "leases: $(cut -f 1 popped | sort -u | wc -l)"
seenset queue pop crawl
echo "crawl: $?"
seenset queue pop --ack dead
# A delay, and from standard input.
printf 'http://a.example/%s\n' 1 2 | seenset queue push crawl
seenset queue pop -n 2 crawl | seenset queue nack --untried --delay 1000 crawl
seenset queue list crawl | cut -f 2,4-
seenset queue verify crawl
seenset queue remake crawl new
seenset queue list new | cut -f 2,4-
seenset queue nack --untried crawl 1
echo "no lease: $?"
seenset queue nack --untried --after 2 --to dead crawl 2>&1 | head -n 1
