# needs: glibc
# Keys of tables of LevelDB and RocksDB, as a whole and part by part.
files=$SEENSET_TEST_ROOT/tests/vectors/foreign
cp "$files/leveldb.ldb" "$files/rocksdb-2.sst" "$files/rocksdb-5.sst" .
seq -f 'key %g' 0 299 >keys
for file in leveldb.ldb rocksdb-2.sst rocksdb-5.sst; do
    seenset has $file <keys | cmp - keys && echo "$file: all"
done
seenset has --row-groups leveldb.ldb 'key 0' 'key 140' 'key 299' nothing
seenset has rocksdb-5.sst nothing
echo "status $?"
seenset has leveldb.ldb:key 'key 0'
echo "status $?"
seenset add leveldb.ldb 'key 0'
echo "status $?"
seenset convert --format seenset leveldb.ldb out.set
echo "status $?"
seenset convert --format seenset rocksdb-5.sst out.set
echo "status $?"
seenset has out.set 'key 7' nothing
