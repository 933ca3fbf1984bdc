# Keys of each type are found in files that DuckDB wrote, and the row groups
# that may have them.
files=$SEENSET_TEST_ROOT/tests/vectors/foreign
cp "$files/people.parquet" "$files/types.parquet" "$files/flor.bloom" .

# found COLUMN: how many of the lines of standard input
found() {
    echo "$1: $(seenset has "types.parquet:$1" | wc -l)"
}
seq -100 7 243 | found i32
awk 'BEGIN { for (i = 0; i < 50; i++) printf "%.0f\n", i * 1000000007 - 5 }' |
    found i64
awk 'BEGIN { for (i = 0; i < 50; i++) print i / 8 }' | found f32
awk 'BEGIN { for (i = 0; i < 50; i++) print i / 10 }' | found f64
seq 0 49 | sed 's/^/text /' | found text
seq 4000000000 4000000049 | found u32
seq 18000000000000000000 18000000000000000049 | found u64
for i in $(seq 0 49); do
    printf '%s' "$i" | md5sum |
        sed 's/^\(.\{8\}\)\(.\{4\}\)\(.\{4\}\)\(.\{4\}\)\(.\{12\}\).*/\1-\2-\3-\4-\5/'
done | found id
seq 0 49 | found nested.x
seq 0 49 | sed 's/^/in /' | found nested.y
seq 0 49 | found list.list.element

seenset has types.parquet:id 0xc4ca4238a0b923820dcc509a6f75849b
seenset has --row-groups people.parquet:email p0@y.example p2999@y.example \
    nobody@y.example
seenset has -v people.parquet:email p7@y.example nobody@y.example
seenset has --annotate people.parquet:number 7 12345678
seenset has -q people.parquet:email nobody@y.example
echo "status $?"
cp people.parquet 'a:b.parquet'
seenset has 'a:b.parquet:email' p7@y.example
seenset has flor.bloom 'key 0' 'key 499' 'no such key'
gzip flor.bloom
seq 0 499 | sed 's/^/key /' | seenset has flor.bloom.gz | wc -l
