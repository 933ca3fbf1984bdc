seenset new seen --layout fingerprint -n 1k
printf '%s\n' a a a b c | seenset add seen
seenset count seen a b nobody
seenset remove seen a b
echo $?
seenset count seen a b
seenset remove seen c nobody
echo $?
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do echo a; done | seenset add seen
seenset remove seen a
echo $?
seenset count seen a
seenset info seen | grep -E 'layout|slots|full'
cp seen again
seenset merge both seen again
seenset count both a
seenset intersect none seen again
echo $?
seenset plan --layout fingerprint -n 1M -p 1% | grep -E 'bits'
seenset new grown --layout fingerprint --on-full grow
echo $?
seenset new narrow --layout fingerprint -k 7
echo $?
