# A table, blocks, or objects on lines; what cannot be read does not stop the
# others.
seenset new a -n 10k
seenset add a 1 2 3
seenset new b -n 1k -p 1/8 --layout counting
seenset info a b | sed 's/[0-9.]* kB */SIZE /'
seenset info -v a b | grep -c '^file'
seenset info a - <b | tail -n 1 | sed 's/[0-9.]* kB */SIZE /'
seenset info --json a b | wc -l
seenset info --json a - <b | sed 's/, .*//'
seenset info nosuch a b | wc -l
seenset info nosuch a >/dev/null
echo "status $?"
printf X | dd of=b bs=1 seek=600 conv=notrunc 2>/dev/null
seenset info b a | wc -l
for wrong in '- -' '--bits a b' '--counters a b' '--picture p a b' \
    '--secret-file s a b' '--format xml a' '--json --format=text a' ''; do
    seenset info $wrong 2>&1 <a | head -n 1
done
