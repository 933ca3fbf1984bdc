# needs: urls
# Higher priorities come first, oldest first in each; what was seen can be
# pushed again, forgotten, or only remembered.
for i in 1 2; do
    for p in 0 5 9; do
        echo "http://a.example/$p/$i" | seenset queue push -v --priority $p crawl
    done
done
seenset queue pop --ack -n 9 crawl
echo http://a.example/0/1 | seenset queue push -v crawl
echo http://a.example/0/1 | seenset queue push -v --again --priority 1 crawl
seenset queue stat crawl | grep priority
seenset queue pop --ack crawl
seenset queue forget -v crawl http://a.example/5/1 http://a.example/never
echo "one was not seen: $?"
seenset queue stat crawl | grep forgotten
echo http://a.example/5/2 | seenset queue forget crawl
echo "seen: $?"
printf 'http://a.example/5/%s\n' 1 2 | seenset queue push -v crawl
seenset queue pop --ack -n 9 crawl
echo http://a.example/visited | seenset queue push -v --seen-only crawl
echo http://a.example/visited | seenset queue push -v crawl
seenset queue pop crawl
echo "nothing: $?"
# In a queue of URLs, other lines are none; and none is too long.
echo http://A.example/ | seenset queue push --normalise url urls
printf 'http://a.example/\nno url\n' | seenset queue forget -v urls
echo "$?"
{ head -c 1048577 /dev/zero | tr '\0' x; echo; } | seenset queue forget urls
echo "$?"
for bad in 'push --priority 10 a' 'push --priority -1 a' 'push --priority a' \
    'push --seen-only --again a' 'push --seen-only --data a' \
    'push --seen-only --priority 1 a' 'forget' 'forget missing' \
    'forget missing url'; do
    seenset queue $bad >out 2>err </dev/null
    echo "$? $(wc -c <out) $(head -n 1 err)"
done
ls
