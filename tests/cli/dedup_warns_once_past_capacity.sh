seq 100000 | seenset dedup -n 10k -p 0.001 -c | head -n 1
