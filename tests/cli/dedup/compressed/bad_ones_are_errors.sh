# needs: compressed
# What came before the damage is printed, nothing after it, and no set saved.
# The message has the place: of what is cut off, its length.
seq 100000 >text
exec 2>&1
for tool in gzip zstd xz; do
    $tool -qc text >whole
    size=$(wc -c <whole)
    half=$((size / 2))
    head -c $half whole >cut
    seenset dedup --set seen cut >out 2>error
    echo "$? $(sed "s/byte $half;/its length;/" error)"
    ls seen
    lines=$(wc -l <out)
    [ "$lines" -gt 100 ] && head -n "$lines" text | cmp - out
    { cat whole && echo more; } >tail
    seenset dedup tail 2>error | cmp - text
    sed "s/byte $size is/its end is/" error
    : | seenset dedup -z
    seenset dedup -z text
    echo $?
done
seenset new set -n 10
gzip -c text | head -c 100 | seenset add set
seenset info set | grep '^added'
gzip -c text | head -c 100 | seenset seal new
ls new
# Something else after an error is not read.
gzip -c text | head -c 1000 >cut
seenset dedup cut whole text | tail -n 1 | cut -c 1-2
printf '\037\213\010\377 is text\n' | seenset dedup
gzip -c text >whole
{ cat whole whole && head -c 7 /dev/zero; } | seenset dedup | tail -n 1
xz -c text >whole
{ cat whole && head -c 7 /dev/zero; } | seenset dedup 2>&1 | tail -n 1 |
    sed 's/byte .*/its end/'
seenset dedup -z --no-decompress text 2>&1 | head -n 1
