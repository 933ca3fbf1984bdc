# needs: urls
# Each key is in one shard, and in the same one for every command.
parts()
{
    for i in 0 1 2 3; do
        seenset dedup --shard $i/4 "$@" >part.$i
    done
}

seq 20000 >all
parts all
sort -n part.? | cmp - all && wc -l part.?
# planted: with a part that is missing it is noticed
sort -n part.[012] | cmp -s - all || echo a part is missing
seenset dedup --shard 0/1 all | cmp - all

# on several threads, and from a pipe
seenset dedup --threads 4 --shard 2/4 all | cmp - part.2
cat all | seenset dedup --shard 2/4 | cmp - part.2

# what the set is does not matter: it may be keyed
seenset new a.set -n 10k
seenset new --keyed b.set -n 10k
for name in a b; do
    seenset add --shard 1/4 $name.set --from all
    seenset has $name.set -v --from part.1
    seenset has --shard 1/4 $name.set -v --from all
    wrong=$(seenset has --shard 3/4 $name.set --from all | wc -l)
    test "$wrong" -lt 250 && echo hardly any of another shard
done
seenset add --shard 1/4 a.set 1 2 3 4 5 6 7 8
for i in 0 1 2 3; do
    grep -x '[1-8]' part.$i | sed "s/^/$i: /"
done

# one shard of 16 is no worse than other keys
seq 320000 | seenset dedup --shard 3/16 >shard
wc -l <shard
seenset new --on-full degrade c.set -n 20k
seenset add c.set --from shard
seenset info c.set | grep -E 'rate|skew'
seenset info --json c.set | grep -o '"is_skewed": [a-z]*'
seq 320001 640000 | seenset dedup --shard 3/16 >others
wrong=$(seenset has c.set --from others | wc -l)
test "$wrong" -gt 100 && test "$wrong" -lt 320 && echo about 1 % of the others

# keys that are fields and URLs; lines without a key are shard 0's
printf 'id,name\n1,a\n2,b\n1,c\n' >some.csv
for i in 0 1; do
    seenset dedup --csv -f id --shard $i/2 some.csv
done
printf '%s\n' '{"id":1}' '{"name":2}' '{"id":3}' >some.json
for i in 0 1; do
    seenset dedup --from-format json -f .id --shard $i/2 some.json >json.$i
done
sort some.json >sorted
sort json.0 json.1 | cmp - sorted
printf '%s\n' http://a.example/ HTTP://A.example http://b.example/ nothing >urls
for i in 0 1; do
    seenset dedup --normalise url --shard $i/2 urls >urls.$i
done
sort urls.0 urls.1

for wrong in 3/2 2/2 0/0 0/99999999999 x 1 1/ /2 -1/2 1/2/3 ' 0/2' ''; do
    seenset dedup --shard "$wrong" all 2>error && echo "'$wrong' was taken"
    head -n 1 error >&2
done
exit 0
