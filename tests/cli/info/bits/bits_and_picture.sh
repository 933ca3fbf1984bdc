# needs: png
seenset new seen -m 32b -k 2 --scheme murmur2a+fnv1a
seenset add seen hello
seenset info --bits seen
seenset info --picture seen.png seen
head -c 8 seen.png | od -An -tx1
seenset info --picture /dev/stdout seen | cmp - seen.png
seenset new large -m 1MB
seenset info --bits large
echo $?
seenset info --bits --force large | wc -c
seenset new grown -n 10
seq 100 | seenset add grown
seenset info --bits grown
echo $?
seenset info --picture grown.png grown
seenset info --picture no/where.png grown
echo $?
ls
