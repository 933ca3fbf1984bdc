# A damaged block is met by an audit, where the keys asked for did not meet it.
seenset new sound -n 200000
seq 100000 | seenset add sound
cp sound bad
dd if=/dev/zero of=bad bs=4096 seek=4 count=8 conv=notrunc 2>/dev/null
key=$(seq 100 | while read -r key; do
    seenset has bad "$key" 2>/dev/null && break
done)
seenset has bad "$key" >/dev/null
echo $?
seenset has --audit=1 bad "$key" >/dev/null
echo $?
seenset add --audit=1 bad "$key"
echo $?
# info prints the figures, and that the file is damaged
seenset info --audit=1 bad >figures
echo "$? $(grep -c '^audit' figures)"
