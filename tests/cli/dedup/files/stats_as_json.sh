# needs: urls
# Names as in docs/json.md.
printf 'a\nb\na\n' | seenset dedup -n 1k --stats=json 2>json
tr ',' '\n' <json | sed 's/^ //; s/\(_rate\|fill\|positives\|bytes\|bits\)": .*/\1": .../'
printf 'a\nb\na\n' | seenset dedup -n 1k --stats=json --set 'a"b' 2>json
[ "$(sed 's/.*"file_bytes": \([0-9]*\).*/\1/' json)" = "$(stat -c %s 'a"b')" ]
grep -o '"path": "[^,]*' json
printf 'http://a/\nx\n' |
    seenset dedup -n 1k --stats=json --normalise url 2>&1 >/dev/null |
    grep -o '"l[a-z]*_.*_count": [0-9]'
echo a | seenset dedup --stats=text 2>&1 | grep -c 'rate now'
echo a | seenset dedup --stats=xml 2>&1 | head -n 1
