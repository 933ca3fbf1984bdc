# needs: urls
# count prints whole lines, each with the count of its field; one that has none
# was never added. The header of CSV is that of the counts, too, once.
seenset new s -n 1k --layout counting
seenset add s a a b
printf '1\ta\n2\n3\tb\n4\tc\n5\n' >tsv
seenset count s -f 2 --from tsv 2>&1
echo "dropped:"
seenset count s -f 2 --missing=drop --from tsv 2>/dev/null
echo "CSV:"
printf 'key,n\n"a",1\n\n' | seenset count s --csv -f key 2>&1
echo "URLs:"
seenset add s --normalise url http://a.example
printf '1\n2\tno URL\n3\thttp://A.example/\n4\n' |
    seenset count s -f 2 --normalise url 2>/dev/null
