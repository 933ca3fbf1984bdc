seenset new seen --layout counting --counter-bits 4 -n 1k
seenset add seen a a a b c
seenset count seen a b nobody
printf 'a\0b\0' | seenset remove -0 seen
echo $?
printf 'a\0b\0' | seenset count -0 seen | tr '\0' '\n'
seenset has seen a b c
seenset remove seen c nobody
echo $?
seenset count seen c
echo $?
seenset new plain
seenset remove plain a
echo $?
seenset count plain a
echo $?
yes a | head -n 20 | seenset add seen
seenset count seen a
seenset info seen | grep -E 'layout|full'
ls
