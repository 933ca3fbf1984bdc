# A size that so many keys do not fit in is refused, with the rate and what
# would do; --force makes it, and then adding warns once, below the capacity.
seenset new -n 1G -m 18MB s
echo "$?"
seenset new -n 1M -m 18kB -k 8 s
echo "$?"
ls
seq 3 | seenset queue push -n 1G -m 18MB q
echo "$?"
seenset new --force -n 1M -m 18kB s
seq 1000 | seenset add s
seq 200000 | seenset add s
seenset info s | grep '^rate now' | tr -d '0-9.'
# What has no -n, or says its rate, is as it was.
seenset new -m 1024 -k 2 --layout bloom a
seenset new -n 30k -m 18kB -p 0.5 b
seenset new -n 20k -m 18kB c
seenset new --force -n 100k -m 18kB --on-full refuse d
seq 60000 | seenset dedup --set d >/dev/null
seq 4000 | seenset queue push -n 100 -p 0.3 --on-full degrade q
