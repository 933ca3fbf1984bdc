# needs: glibc
# Keys are added to files of DCSO and Guava, which their own programs read on:
# the file stays one of its kind. What cannot be changed is refused, and stays.
files=$SEENSET_TEST_ROOT/tests/vectors/foreign
cp "$files/guava.bloom" "$files/guava-32.bloom" "$files/flor.bloom" .
cp "$files/people.parquet" .
try() {
    seenset "$@" 2>&1
    echo "status $?"
}
seq 500 700 | sed 's/^/key /' >more
for file in guava.bloom flor.bloom; do
    ln -s $file link
    chmod 640 $file
    cp $file before
    seenset add link <more
    echo "status $?"
    stat -c %a $file
    cmp -s before $file || echo "$file has changed"
    test -h link && rm link
    seenset has -v $file <more
    seenset has -v $file 'key 0' 'key 499' 'key 2000'
    seenset check $file | grep -e '^format' -e 'distinct' -e 'as it says'
done
tail -c 17 flor.bloom
seenset add --funnel utf16 guava-32.bloom 'one more'
seenset has guava-32.bloom 'one more'
seenset has --funnel utf16 guava-32.bloom 'one more' 'key 7'
seenset add --stats --save-every 1lines guava.bloom one two 2>&1 | head -3

# Guava's file does not say for how many keys it was made: no warning at -n.
seenset new --format guava -n 1000 -p 0.01 made.bloom
seq 1000 | seenset add made.bloom
seenset check made.bloom | grep -e 'rate now' -e verdict

# ---- refused ----

cp guava.bloom before
try add --funnel int guava.bloom 1 two 3
cmp guava.bloom before
gzip -kn flor.bloom
try add flor.bloom.gz a
try add people.parquet:email a
try add people.parquet a
try add --secret-file s guava.bloom a
try remove guava.bloom a
try add --funnel int new.set 1
ls
