# A damaged set never calls a known key unseen: what it cannot tell, it says.
seenset new sound -n 200000
seq 100000 | seenset add sound
cp sound bad
dd if=/dev/zero of=bad bs=4096 seek=4 count=8 conv=notrunc 2>/dev/null
seq 100000 >keys
seenset has -v bad <keys >unseen
echo "$? $(wc -l <unseen)"
seenset has -q -v bad <keys
echo $?
seenset info bad >figures
echo "$? $(grep -c '^added' figures)"
seenset info sound >figures
echo $?
# Blocks that are not damaged are answered from.
head -n 1 keys | seenset has sound

# A file of an old format has no sums of blocks, and is read whole.
golden=$SEENSET_TEST_GOLDEN
for name in v1-blocked v2-counting; do
    cp "$golden/$name.seenset" old
    seenset has old 'key 7'
    dd if=/dev/zero of=old bs=1 seek=260 count=8 conv=notrunc 2>/dev/null
    seenset has -v old 'key 7'
    echo $?
done
seenset count old 'key 7'
echo $?
