# needs: urls
# What was dropped, refused or no URL is counted also by commands that change
# nothing else.
for i in 1 2 3 4; do
    seq 5 | seenset queue push crawl
done
seenset queue stat crawl | grep -E '^(pushed|dropped_as_seen) '
echo http://a.example | seenset queue push --normalise url urls
for i in 1 2 3; do
    printf 'mailto:x\nhttp://A.example\n' | seenset queue push urls 2>/dev/null
done
seenset queue stat urls | grep -E '^(pushed|dropped_as_seen|not_url) '
seq 3 | seenset queue push --on-full refuse -n 3 full
for i in 1 2 3; do
    seq 2 10 | seenset queue push full 2>/dev/null
done
seenset queue stat full | grep -E '^(pushed|dropped_as_seen|refused) '
