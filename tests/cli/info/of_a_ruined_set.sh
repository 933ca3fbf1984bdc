seenset new seen -n 10 -p 0.01 --on-full degrade
seq 10000 | seenset add seen 2>/dev/null
seenset info seen
seenset info --json seen | grep estimated
seenset new half -n 1 -p 0.5 --on-full degrade
seq 1000 | seenset dedup --set half --stats 2>&1 >/dev/null |
    awk '$1 == "repeated" { r = $2 } $1 == "wrongly" { w = $3 + 0 }
         END { print w <= r }'
