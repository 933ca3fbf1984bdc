seq 100 | seenset dedup --set seen --window 20 -p 1e-9 | wc -l
seq 81 100 | seenset dedup --set seen
seq 1 50 | seenset dedup --set seen | wc -l
seenset info seen | grep -E 'full|window'
echo a | seenset dedup --set seen --window 24h
echo $?
seenset new plain
echo a | seenset dedup --set plain --window 20
echo $?
seenset new day --window 24h --window-tables 8 -n 1k
seenset info day | grep window
seq 5 | seenset dedup --set day --window 86400s
