# needs: urls
# A seed changes the places of keys, not the answers; the set keeps it.
seq 20000 | seenset seal --seed 0x5eed seeded
seq 20000 | seenset seal plain
seq 20000 | seenset has -v seeded | wc -l
seenset info seeded | grep -E '^(layout|seed|added)'
for set in seeded plain; do
    # other strangers are false positives, and 1 in 128 of them
    seq 20001 220000 | seenset has $set >wrong.$set
    awk 'END { print (NR > 1300 && NR < 1850) ? "rate kept" : NR " wrong" }' \
        wrong.$set
done
cmp -s wrong.seeded wrong.plain || echo "other keys"

# a long line, NUL, normal forms
head -c 3000000 /dev/zero | tr '\0' x >long
seenset seal --seed 7 longs long && seenset has -v longs --from long | wc -c
printf 'a\nb\0c\0' | seenset seal -0 --seed 7 nuls
printf 'a\nb\0c\0d\0' | seenset has -0v nuls | tr '\0' ' '
echo
echo HTTP://EXAMPLE.com/ | seenset seal --seed 7 --normalise url urls
echo http://example.com/ | seenset has urls
printf '' | seenset seal --seed 7 empty && seenset info empty | grep seed

seq 10 | seenset seal --seed 7 --keyed both 2>&1 | head -n 1
seq 10 | seenset seal --seed x both 2>&1 | head -n 1
ls | grep both || echo nothing is made
