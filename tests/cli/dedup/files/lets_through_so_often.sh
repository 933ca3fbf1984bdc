# --times N: as a table of counts lets through, and from run to run with a set.
seq 30000 | awk '{ print ($1 * $1) % 9973 % 2500 }' >in
for times in 1 2 3 4 15 16 300 65535; do
    awk -v n=$times '{ if (++count[$0] <= n) print }' in >wanted
    seenset dedup -p 1e-9 -n 10k --times $times in | cmp - wanted
    awk -v n=$times '{ if (++count[$0] > n) print }' in >wanted
    seenset dedup -p 1e-9 -n 10k --times $times -v in | cmp - wanted
done
printf 'a\na\nb\na\n' | seenset dedup --set seen -n 100 --times 2
echo --
printf 'a\nb\nb\nc\n' | seenset dedup --set seen --times 2
seenset count seen a b c
printf 'a\nb\n' | seenset dedup --set seen --times 3 -c
printf 'a\nb\n' | seenset dedup --keyed -n 100 --times 2 -c
# Errors.
exec 2>&1
echo a | seenset dedup --set seen --times 4
seenset new plain -n 10
echo a | seenset dedup --set plain --times 2
echo a | seenset dedup --times 2 --window 5lines 2>&1 | head -n 1
seenset dedup --times 0 in 2>&1 | head -n 1
seenset dedup --times 65536 in 2>&1 | head -n 1
seq 2000 >many && seenset dedup -n 1k -p 1e-3 --times 2 many | wc -l
seenset new small -n 100 --layout counting --on-full refuse
seq 1000 | seenset dedup --set small --times 2 | wc -l
seenset info small | grep ^added
