# What cannot be asked of a file of another system is refused, with the reason.
files=$SEENSET_TEST_ROOT/tests/vectors/foreign
cp "$files/people.parquet" "$files/types.parquet" "$files/flor.bloom" .
seenset new s
try() {
    seenset has "$@"
    echo "status $?"
}
try people.parquet a
try people.parquet:nobody a
try types.parquet:flag true
try people.parquet:number twelve
try people.parquet:number 2147483648
try people.parquet:number ''
try types.parquet:u32 -1
try types.parquet:u64 18446744073709551616
try types.parquet:f64 1,5
try types.parquet:f64 1e999
try types.parquet:f32 1e39
try types.parquet:id c4ca
try no.parquet:email a
try s:email a
try --row-groups s a
try --row-groups -v people.parquet:email a
try --audit people.parquet:email a
try --secret-file s people.parquet:email a
head -c 20000 people.parquet >cut.parquet
try cut.parquet:email a
head -c 2000 flor.bloom >cut.bloom
try cut.bloom a
gzip -n flor.bloom
head -c 1500 flor.bloom.gz >cut.gz
try cut.gz a
gzip -n cut.bloom
try cut.bloom.gz a
seenset add people.parquet:email a
echo "status $?"
seenset add people.parquet a
echo "status $?"
