# A byte in the middle of the log: refused, verified, repaired.
for i in 1 2 3 4 5 6; do
    echo "http://a.example/$i" | seenset queue push crawl
done
log=crawl/log-0000000000000000
byte=$(od -A n -t u1 -j 70 -N 1 $log)
printf "\\$(printf %o $((byte ^ 88)))" |
    dd of=$log bs=1 seek=70 conv=notrunc status=none
rm crawl/state-*
seenset queue verify crawl
echo "$?"
seenset queue push crawl </dev/null
echo "$?"
seenset queue repair crawl
seenset queue verify crawl
seenset queue pop --ack -n 9 crawl
