# needs: urls, yajl, compressed
# With each option that says what a line or a key is: the same lines as without,
# from a set so small that most of them are late.
awk 'BEGIN { srand(4); for (i = 0; i < 20000; i++)
    print "http://example.com/" int(rand() * 9000) }' >in
awk '!seen[$0]++' in | sort >wanted
small="-n 100 -p 0.3 --on-full degrade"

# late OPTION...: by a small set with --exact.
late()
{
    # shellcheck disable=SC2086  # words are meant
    seenset dedup --exact $small "$@" 2>/dev/null
}

# same NAME: is standard input `wanted`, order aside?
same()
{
    sort | cmp wanted - && echo "$1"
}

tr '\n' '\0' <in | late -0 | tr '\0' '\n' | same "ended by NUL"
gzip -c in | late | same compressed
late --keyed in | same keyed
late --normalise url in | same URLs
head -c 100001 in >first
tail -c +100002 in >second
late first second | awk '!seen[$0]++' >two
(cat first && echo && cat second) | awk '!seen[$0]++' | sort >wanted_two
sort two | cmp wanted_two - && echo "two files"
for shard in 0 1 2; do
    late --shard $shard/3 in
done | same shards
cp in both
late -o both both && same "in place" <both

# Records, by a field of them.
awk '{ print NR "\t" $0 }' in >tsv
awk -F '\t' '!seen[$2]++' tsv | sort >wanted
late -f 2 tsv | same fields
sed 's/\(.*\)\t\(.*\)/{"n": \1, "u": {"rl": "\2"}}/' tsv >json
late --from-format json -f .u.rl json | sed 's/[^0-9]*\([0-9]*\)[^"]*"u[^h]*\([^"]*\)".*/\1\t\2/' |
    same JSON
sed 's/\(.*\)\t\(.*\)/"a\n\1","\2"/; 1i n,url' tsv | tr '\n' '\1' |
    sed 's/"a\x01/"a\n/g; s/\x01/\n/g' >csv
late --csv -f url csv >ours
head -n 1 ours
sed '1d' ours | paste -d ' ' - - | sed 's/"a \([0-9]*\)","\(.*\)"/\1\t\2/' |
    same "CSV of two lines a record"
# Lines without the field are kept where they are.
(echo none && cat tsv && echo none) >some
late -f 2 some >ours
grep -c none ours
head -n 1 ours

# The figures are those of awk, whichever way they come.
late -c in
seenset dedup -c -p 1e-9 in
late --stats=json in 2>&1 >/dev/null | cat
# shellcheck disable=SC2086  # words are meant
seenset dedup --exact $small --stats=json in 2>&1 >/dev/null |
    grep -oE '"(new|seen)_count": [0-9]*|"expected_false_positives": 0,'
# shellcheck disable=SC2086  # words are meant
seenset dedup --exact $small --stats in 2>&1 >ours |
    sed -n 's/^\(wrongly dropped\|new\) */\1: /p' | sed 's/last: [0-9,]*/last: some/'
# shellcheck disable=SC2086  # words are meant
late=$(seenset dedup --exact $small --stats=json in 2>&1 >ours |
    grep -o '"late_count": [0-9]*' | cut -d ' ' -f 2)
[ "$late" -gt 5000 ] && [ "$late" -lt "$(wc -l <ours)" ] && echo "late ones counted"
echo a | late --exit-status >/dev/null
echo $?
late --exit-status </dev/null
echo $?
