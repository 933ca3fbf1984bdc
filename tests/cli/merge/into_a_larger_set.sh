# The way out where a set is full: as its message and the help of merge say.
seq 150 >keys
for layout in blocked bloom split_block; do
    seenset new full -n 100 --on-full refuse --layout $layout --force
    seenset add full <keys 2>&1 | grep -c "help merge"
    seenset new larger -n 10k --layout $layout --force
    seenset merge larger larger full
    seenset add larger <keys
    seenset has -v larger <keys | wc -l
    seenset info larger | grep 'when full'
done
# Keyed, with the secret of the full one: the same in each run, as the rate now
# is that of the places that it gives the keys.
(umask 077 && echo 000102030405060708090a0b0c0d0e0f >k.secret)
seenset new k -n 100 --on-full refuse --keyed
seenset add k <keys 2>/dev/null
cp -p k.secret wide.secret
seenset new wide -n 10k --keyed
seenset merge wide wide k
seenset add wide <keys
seenset has -v wide <keys | wc -l
