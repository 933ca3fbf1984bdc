# needs: urls
# One spelling of each URL; what follows a TAB comes back with it.
printf 'HTTP://A.example:80/x#y\tdepth=1\nhttp://a.example/x\nno url\n' |
    seenset queue push -v --data --normalise url crawl
echo "$?"
seenset queue pop --ack --data -n 9 crawl
