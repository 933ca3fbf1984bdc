# needs: speed
# More lines than a set in memory was planned for: the same lines are printed,
# and none of its tables grows in place.
set -e

# A third of them are repeats, near and far.
awk 'BEGIN { for (i = 0; i < 300000; i++)
    print i % 3 ? "http://example.com/" i : "http://example.com/" int(i / 7) }' \
    >in
awk '!seen[$0]++' in >exact

# figure NAME: of the last run
figure()
{
    grep -o "\"$1\": [0-9.e-]*" stats | sed 's/.*: //'
}
# same NAME ARG...: dedup prints the lines of `exact`
same()
{
    name=$1
    shift
    cat in | seenset dedup -p 1e-9 --stats=json "$@" >ours 2>stats
    cmp exact ours
    [ "$(figure capacity_items)" -ge "$(figure new_count)" ]
    echo "$name: $(figure table_count) tables"
}
same "far too few" -n 10
same "too few" -n 1000
same "nearly enough" -n 150000
same "on one thread" -n 1000 --threads 1
same "on five threads" -n 1000 --threads 5
same "by field" -n 1000 -d / -f 4
same "enough" -n 1M
cat in | seenset dedup -n 1000 -p 1e-9 --keyed | cmp exact -

# The comparison can fail: where lines are dropped by mistake.
if cat in | seenset dedup -n 10 -p 0.3 | cmp -s exact -; then
    echo "dropped lines went unnoticed"
    exit 1
fi

# Of each shard its lines.
for shard in 0 1; do
    cat in | seenset dedup -n 100 -p 1e-9 --shard $shard/2
done | sort >ours
sort exact | cmp - ours

# What was dropped by mistake is counted in all of its sets together: at this
# rate thousands of lines, and in the last set alone a part of them.
seq 400000 | seenset dedup -n 100 -p 0.1 --stats=json 2>stats >ours
awk -v dropped=$((400000 - $(wc -l <ours))) \
    -v expected=$(figure expected_false_positives) 'BEGIN {
    print "dropped: " (dropped > 2000 ? "thousands" : dropped)
    close_by = expected > 0.9 * dropped && expected < 1.1 * dropped
    print "expected: " (close_by ? "as many" : expected " of " dropped) }'

# A set for which there would be too many hashes to keep has one more table.
seq 6000000 | seenset dedup -n 4400000 -p 1e-9 --stats=json 2>stats | cksum
seq 6000000 | cksum
echo "large: $(figure table_count) tables for $(figure capacity_items)"
