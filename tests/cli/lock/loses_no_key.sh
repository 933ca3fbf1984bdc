# Twenty writers at once, each trying until it gets in: no key is lost.
set -e
seenset new seen -n 1000
for i in $(seq 20); do
    (until seenset add seen key$i 2>/dev/null; do sleep 0.01; done) &
done
wait
for i in $(seq 20); do echo key$i; done | seenset has -v seen && exit 1
ls
