# A damaged set is refused by all that change sets, and stays as it is.
seenset new sound -n 1000 && seenset add sound a
cp sound bad
printf '\377' | dd of=bad bs=1 seek=$(($(wc -c <sound) - 1)) conv=notrunc \
    2>/dev/null
cp bad before
echo b | seenset dedup --set bad
echo $?
seenset add bad b
echo $?
seenset merge out sound bad
echo $?
seenset merge out bad sound
echo $?
cmp bad before
echo text >bad
seenset has bad a
echo $?
ls
