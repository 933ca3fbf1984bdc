# needs: urls
# Which option is not as the queue was made, and what the queue has.
seq 3 | seenset queue push -n 2k -p 1e-4 --on-full degrade one
seq 3 | seenset queue push --window 1d --normalise off two 2>/dev/null
seq 3 | seenset queue push three
seq 3 | seenset queue push --layout bloom --scheme murmur3-128 --on-full degrade four
seq 3 | seenset queue push --layout bloom -m 4096b -k 3 five
seq 3 | seenset queue push --scheme polynomial -m 512 -k 3 --units 16 --seeds 31,131,1313 listed
seq 3 | seenset queue push --seed 0x7 seeded
while read -r queue options; do
    seenset queue push $options $queue </dev/null
    echo "$options: $?"
done <<'END'
one -n 2000 -p 0.0001 --on-full degrade
one -n 3k
one -p 1%
one --on-full grow
one --window 1d
one --exact
one --normalise url
one --layout counting
two --window 1d
two --window 7d
two --window 1d --sliding
three -n 5
three --on-full refuse
three --scheme chain
four --scheme chain
four --scheme polynomial
five -m 512 -k 3
five -m 8192b
five -k 4
five --seed 3
listed --units 16 --scheme polynomial
listed --scheme polynomial --seeds 31,131,1313
listed --scheme polynomial --seeds 31,131
listed --scheme polynomial --units 8
listed --seed 5
seeded --seed 7
seeded --seed 8
seeded --scheme polynomial --units 16
END
seenset queue remake -m 8192b -k 5 --forget-seen five six
seenset info --json six | grep -o '"size_bits":[0-9]*'
seenset queue push --exact -m 1kB six 2>&1 | head -n 1
