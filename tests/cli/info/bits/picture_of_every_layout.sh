# needs: png
# Of lines, bits, counters, fingerprints and several tables; to a full disk.
set -e
seenset new blocked -m 1MB -k 8 --on-full degrade
seq 100000 | seenset add blocked
seenset new counting --layout counting --counter-bits 4 -n 10k
seq 10000 | seenset add counting
seq 10000 | seenset seal sealed
seenset new grown -n 100
seq 10000 | seenset add grown
seenset new small -m 64b -k 1 --layout bloom --on-full degrade
seenset add small x
for name in blocked counting sealed grown small; do
    seenset info --picture $name.png $name
    echo "$name: $(head -c 8 $name.png | od -An -tx1)"
done
set +e
seenset info --picture /dev/full blocked
echo $?
seenset info --bits --force blocked >/dev/full
echo $?
seenset info --picture one.png small
echo $?
