# needs: glibc
# What filters are, how full, and whether that fits: of sets, of Parquet and of
# DCSO. The exit status is 1 if one is too full.
files=$SEENSET_TEST_ROOT/tests/vectors/foreign
cp "$files/people.parquet" "$files/types.parquet" "$files/flor.bloom" .
seenset check people.parquet
echo "status $?"
seenset check types.parquet:text flor.bloom
echo "status $?"
seenset new full -n 1000 -p 1% --on-full degrade
seq 5000 > keys
seenset add full < keys
seenset check full
echo "status $?"
seenset check --json full flor.bloom people.parquet:email
echo "status $?"
seenset new empty
seenset check empty | tail -1
seenset info flor.bloom people.parquet:number
# a byte of the first filter's header: its hash is another
offset=$(seenset check --json people.parquet:email |
    sed -n 's/.*"row_group":0,.*"bits_offset":\([0-9]*\),.*row_group":1.*/\1/p')
printf '\054' |
    dd of=people.parquet bs=1 seek=$((offset - 8)) conv=notrunc 2>/dev/null
seenset check people.parquet:email
echo "status $?"
seenset check --json people.parquet:email
seenset check no.parquet
echo "status $?"
seenset check
echo "status $?"
seenset check --secret-file s full flor.bloom
echo "status $?"
seenset check people.parquet:nobody
echo "status $?"
