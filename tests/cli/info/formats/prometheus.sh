# Gauges, as a parser of the text format reads them that shares nothing with
# what wrote them; the figures are those of --json.
command -v python3 >/dev/null || exit 0
name=$(printf 'q"b\\n\nl\377\303\251')
seenset new a -n 10k
seq 500 | seenset add a
seenset new "$name" -n 1k --window 24h
seenset add "$name" x
seenset new full -k 8 -m 64 -n 10
seq 5000 | seenset add full 2>/dev/null
parse="python3 $SEENSET_TEST_ROOT/tests/cli/info/formats/prometheus_parser.py"
seenset info --format prometheus a "$name" full nosuch 2>/dev/null >gauges
echo "status $?"
seenset info --json a "$name" full >objects
$parse gauges objects
# The parser sees what is wrong.
for fault in '/TYPE seenset_fill/d' 's/^\(seenset_fill{file=\)"a"/\1a/' \
    's/\\"b/"b/' '/^seenset_added_items{file="a"}/p' \
    's/\(seenset_fill{file="a"} \).*/\1x/' '$s/$/ 1 2/' \
    's/\(seenset_added_items{file="a"} \).*/\1499/'; do
    sed "$fault" gauges >wrong
    $parse wrong objects >/dev/null 2>&1 && echo "the parser took $fault"
done
seenset info --format=prometheus --audit a 2>&1 | head -n 1
