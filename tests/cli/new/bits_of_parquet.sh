# A bit set of Parquet without a file around it becomes a set, which finds the
# same keys, and its bits are given as they were.
cp "$SEENSET_TEST_ROOT/tests/vectors/foreign/people.parquet" .
offset=$(seenset check --json people.parquet:email |
    sed -n 's/.*"row_group":0,.*"bits_offset":\([0-9]*\),.*row_group":1.*/\1/p')
dd if=people.parquet of=bits bs=1 skip="$offset" count=4096 2>/dev/null
seenset new --scheme parquet --bits bits -k 8 s
seq 0 2047 | sed 's/.*/p&@y.example/' | seenset has s | wc -l
seq 3000 103000 | sed 's/.*/p&@y.example/' >others
seenset has s <others >by_set
seenset has --row-groups people.parquet:email <others |
    sed -n 's/^0[,0-9]*	//p' | cmp - by_set
seenset info --bits=again s
cmp bits again
seenset info s | grep -E '^(layout|index scheme)'
seenset new --scheme parquet --layout bloom -n 10 t 2>&1
echo "status $?"
seenset new --scheme dcso --layout split_block -n 10 t 2>&1
echo "status $?"
