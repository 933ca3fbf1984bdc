# What queue plan computes is what a queue then takes: the set to the byte, the
# log within 1 %, the disk at most. With other sizes of URLs it is not.
figure() {
    tr ',{}' '\n\n\n' | sed -n "s/^\"$1\"://p"
}
seq 100000 | awk '{ printf "http://www.example.org/%010d\n", $1 }' |
    seenset queue push -n 100k crawl
seenset queue plan -n 100k --url-bytes 33 --json >plan
log=$(seenset queue stat --json crawl | figure log_bytes)
set=$(seenset queue stat --json crawl | figure set_bytes)
disk=$(cat crawl/* | wc -c)
is_within() {
    awk -v is="$1" -v planned="$2" -v part="$3" \
        'BEGIN { print (is <= planned * (1 + part) && is >= planned * (1 - part)) }'
}
echo "set: $(is_within "$set" "$(figure set_bytes <plan)" 0)"
echo "log: $(is_within "$log" "$(figure log_bytes <plan)" 0.01)"
echo "disk at most: $((disk <= $(figure most_disk_bytes <plan)))"
seenset queue plan -n 100k --url-bytes 34 --json >plan
echo "planted: $(is_within "$log" "$(figure log_bytes <plan)" 0.01)"

seenset queue plan -n 5G --url-bytes 70 --memory 64G
seenset queue plan -n 5G --pending 10M --leased 100k --memory 16G
for bad in '-n 10 --pending 11' '--url-bytes 2M' '-p 2' '-n 9e15 -p 1e-12' 'crawl'; do
    seenset queue plan $bad 2>&1 | head -n 1
done
