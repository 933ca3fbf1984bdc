# needs: urls
# hit or miss before every line, in order, as has and has -v tell them apart.
seenset new s -n 1M -p 1e-9
seq 1 3 100000 | seenset add s
seq 100000 | seenset has --annotate s >said
seq 100000 |
    awk '{ print ($1 % 3 == 1 ? "hit" : "miss") "\t" $1 }' >expected
cmp said expected
seenset has --annotate s 4 "" 5
echo "status $?"
seenset has --annotate s 5
echo "status $?"
printf '4\0five\nsix\0' | seenset has --annotate -0 s | tr '\0' '|'
echo
head -c 5000000 /dev/zero | tr '\0' x | seenset has --annotate s | cut -c 1-8
seenset new u -n 10k
seenset add u --normalise url http://a.example/
printf 'HTTP://A.example:80\nno\nhttp://b.example/\n' |
    seenset has --annotate --normalise url u
for also in -v -q; do
    seenset has --annotate $also s 4 2>/dev/null
    echo "status $?"
done
