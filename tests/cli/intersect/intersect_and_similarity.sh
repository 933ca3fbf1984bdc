set -e
seq 1000 >a
seq 501 1500 >b
for name in a b; do
    seenset new $name.set -n 2k --on-full degrade
    seenset add $name.set <$name
done
seenset intersect both a.set b.set
seq 501 1000 | seenset has -v both || echo all
seq 500 | seenset has both | wc -l | awk '{ print $1 < 100 }'
seenset similarity a.set b.set
seenset similarity --json a.set a.set
set +e
seenset intersect both a.set b.set
echo $?
seenset new grown -n 10
seenset add grown <a
seenset similarity grown grown
echo $?
