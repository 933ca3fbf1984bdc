# needs: glibc
# What filters of tables are: each 2 KiB of one of LevelDB have a filter, and
# one of RocksDB has one.
files=$SEENSET_TEST_ROOT/tests/vectors/foreign
cp "$files/leveldb.ldb" "$files/rocksdb-2.sst" "$files/rocksdb-5.sst" .
seenset check leveldb.ldb rocksdb-2.sst
echo "status $?"
seenset info rocksdb-5.sst
seenset check --json leveldb.ldb
# the filter's last bytes: a Ribbon filter; the footer's version; its magic
offset=$(seenset check --json rocksdb-5.sst |
    sed -n 's/.*"bits_offset":\([0-9]*\),.*/\1/p')
size=$(wc -c <rocksdb-5.sst)
put() {
    printf "$2" | dd of="$3" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
cp rocksdb-5.sst ribbon.sst
put $((offset + 384)) '\376' ribbon.sst
seenset check ribbon.sst
echo "status $?"
seenset has ribbon.sst 'key 1'
echo "status $?"
cp rocksdb-5.sst new.sst
put $((size - 12)) '\011' new.sst
seenset check new.sst
echo "status $?"
head -c $((size - 1)) rocksdb-5.sst >cut.sst
seenset check cut.sst
echo "status $?"
