# needs: urls
# A set that is full, and lines that are not URLs around the refused one.
seenset new full -n 2 --on-full refuse
printf 'x\nHTTP://a.example\ny\nhttp://a.example/\nhttp://b.example\nz\n%s\nw\n' \
    http://c.example >in
seenset dedup --set full --normalise url --stats in 2>err
echo $?
grep -v -e wrongly -e ^set -e ^fill -e '^rate' err
seenset has full http://a.example/ http://b.example/ http://c.example/
