# A window by time grows with what comes: the rate that was promised is kept,
# of 200,000 lines in a window planned for 1,000 none is expected to be lost.
seq 200000 | seenset dedup --window 24h -n 1k -p 1e-9 | wc -l
seq 200000 | seenset dedup --set day --window 24h -n 1k -p 1e-9 -c
seq 200000 | seenset dedup --set day -c
seenset info day | grep -E 'capacity|added|promised|again'
seenset verify day | cut -d, -f1
# by number, it is the last 1,000 that are remembered
seq 200000 | seenset dedup --set last --window 1klines -c
seq 199001 200000 | seenset dedup --set last -c
seenset merge both day day 2>&1
seq 200000 | seenset has -q both && echo all there
