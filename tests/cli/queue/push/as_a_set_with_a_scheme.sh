# A queue with the arguments of a scheme answers as a set of `new` with the same
# ones: for new lines and for those that it wrongly calls seen. (With the default
# durability, the lines of one batch are compared with each other exactly.)
scheme='--scheme polynomial --units 16 --seeds 31,131,1313 -m 1024b -k 3'
{ seq -f 'http://\303\251.example/%g' 300
  seq -f 'http://\344\270\255.example/%g' 300; } >escaped
printf "$(cat escaped)\n" >urls
head -n 400 urls >first
tail -n +350 urls >second
for how in "$scheme" '--seed 0x5eed -m 512 -k 3 --layout bloom --on-full degrade' \
    '--scheme murmur3-128 --seed 7 -m 1024b -k 3'; do
    rm -rf queue set
    seenset new $how set
    for part in first second; do
        seenset queue push $how --durability none -v queue <$part 2>/dev/null | grep -c NEW >pushed
        seenset dedup --set set $part 2>/dev/null | wc -l >added
        cmp pushed added && cat pushed
        rm -f queue/set-* queue/state-*
    done
    seenset queue stat queue | grep -E '^(scheme|seed|seeds) '
    seenset queue stat --json queue |
        grep -oE '"(scheme|unit_bits|seed|seeds)":("[^"]*"|[0-9]+|[[][^]]*[]])'
done
# A new queue of it.
rm -rf queue
seenset queue push $scheme queue <first 2>/dev/null
seenset queue remake queue kept
seenset queue remake --units 8 queue bytes
echo "other units: $?"
seenset queue remake --units 8 --forget-seen queue bytes
seenset queue remake --scheme polynomial --forget-seen queue plain
for made in kept bytes plain; do
    seenset queue stat $made | grep ^seeds
done
seenset queue remake --seed 7 queue none
echo "a seed: $?"
# What does not go together.
while read -r options; do
    seenset queue push $options </dev/null 2>&1 | head -n 1
done <<'END'
--units 16 none
--exact --seed 7 none
--keyed --seed 7 none
--scheme md5-divmod --seed 7 none
--seed 7 redis://localhost/none
END
ls
