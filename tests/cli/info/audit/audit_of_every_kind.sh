# Every kind of set keeps its promise at its capacity, and what is computed from
# the bits is what is measured; past its capacity it says that it does not.
audit()
{
    seenset info --audit=1 "$1" |
        awk -v name="$1" '/rate promised  .*:/ { sub(".*: ", ""); said = $0 }
            /rate computed/ { as = /not what/ ? "differs" : "as computed" }
            END { print name ": " said ", " as }'
}
seq 20000 >keys
seenset new blocked -n 20k -p 1%
seenset new small -n 20k -p 1e-4
seenset new classic -n 20k -p 1% --layout bloom
seenset new split -n 20k -p 1% --layout split_block
seenset new counting -n 20k -p 1% --layout counting
# The same secret in each run.
(umask 077 && echo 000102030405060708090a0b0c0d0e0f >keyed.secret)
seenset new keyed -n 20k -p 1% --keyed
seenset new scheme -n 20k -p 1% --scheme murmur3-128
seenset new grown -n 100 -p 1%
seenset new window -n 5k -p 1% --on-full rotate
seenset new timed -n 5k -p 1% --window 1h
seenset new past -n 5k -p 1% --on-full degrade
seenset new empty -n 5k -p 1%
for name in blocked small classic split counting keyed scheme grown window \
    timed; do
    seenset add $name <keys
    audit $name
done
seenset add past <keys 2>/dev/null
audit past
audit empty
seenset seal sealed keys
audit sealed
seenset dedup --audit=1 -c -n 20k -p 1e-3 keys 2>&1
seenset add --audit=1 past more 2>&1 | grep -v past:
seenset has --audit=1 past more 2>&1
echo $?
seenset has --audit=1 -q empty more 2>/dev/null
echo $?
