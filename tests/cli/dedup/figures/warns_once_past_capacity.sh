seenset new seen -n 10k -p 0.001 --on-full degrade
seq 100000 | seenset dedup --set seen -c | head -n 1
