# needs: compressed
# All that read lines read compressed ones; padding and frames to skip, too.
seq 3 | gzip -c >three
head -c 512 /dev/zero >>three
seq 2 4 | xz -c >four
head -c 8 /dev/zero >>four
{ printf '\120\052\115\030\003\000\000\000abc' && seq 5 | zstd -qc; } >five
seenset new set -n 100
seenset add set --from three
seenset has set --from four
seenset has -v set <five
seenset new counting -n 100 --layout counting
seenset add counting -z --from five
seenset remove counting --from three
seenset count counting <five
seenset seal -z sealed three five
seenset has sealed 1 5
# As it is: not the lines in it.
seenset has --no-decompress set --from three
echo $?
printf '\037\213\010 is text\n' | seenset dedup --no-decompress | od -An -tx1
