seenset new sound -n 1000 && seenset add sound a b c
seenset verify sound
size=$(wc -c <sound)
damage()
{
    cp sound bad
    printf '\001' | dd of=bad bs=1 seek=$1 conv=notrunc 2>/dev/null
    seenset verify bad
    echo $?
}
damage 0
damage $((size - 1))
head -c $((size - 1)) sound >bad
seenset verify bad
echo $?
: >bad
seenset verify bad sound
echo $?
seenset verify missing
echo $?
