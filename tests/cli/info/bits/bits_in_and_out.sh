# Bits -> set -> bits is byte for byte the same, and so is what the set answers.
awk 'BEGIN { for (i = 0; i < 3000; i++)
    printf "%c", 65 + i * i % 57 }' >some
field() { sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p"; }
# BYTES, and the options of a set of as many bytes
both_ways() {
    count=$1
    shift
    head -c "$count" some >in
    seenset new "$@" --bits in set
    seenset info --bits=out set
    if cmp in out; then
        echo "$count bytes, $(seenset info --json set | field size_bits): $*"
    fi
    rm set
}
both_ways 3000 --layout bloom -k 3
both_ways 1 --layout bloom -k 1
both_ways 999 --layout bloom -k 5 -m 7991b
both_ways 2048 --layout blocked -k 16
both_ways 2080 --layout split_block -k 8
both_ways 1001 --layout counting -k 4
both_ways 1000 --layout counting -k 4 --counter-bits 5
both_ways 2000 --layout counting -k 4 --counter-bits 16
both_ways 1024 --scheme polynomial -k 3 --seeds 31,131,1313 --units 16
both_ways 777 --scheme murmur3-128 -k 6 --seed 9
both_ways 777 --scheme clickhouse-tokenbf -k 3 --seed 7
both_ways 1000 --layout bloom -k 4 --keyed

# a set's own bits, in another set
seenset new first --layout bloom -n 5000 -k 6
seq 5000 | seenset add first
seenset info --bits=first.bits first
seenset new second --layout bloom -k 6 --bits first.bits \
    -m "$(seenset info --json first | field size_bits)b"
seenset info --bits=second.bits second
cmp first.bits second.bits
seq 5000 | seenset has -v second | wc -l
seq 5001 30000 | seenset has -v first | cksum >new.first
seq 5001 30000 | seenset has -v second | cksum >new.second
cmp new.first new.second

# the text has the same bits
seenset new small -k 2 -m 12b --scheme murmur2a+fnv1a
seenset add small hello
seenset info --bits small
seenset info --bits=/dev/stdout small | od -An -tx1 -v

# what has no bits of one table, a name that is a set's, a damaged set
seenset new grown -n 10
seq 100 | seenset add grown
seenset info --bits=no grown 2>&1
seq 100 | seenset seal sealed
seenset info --bits=no sealed 2>&1
seenset info --bits=grown first 2>&1
seenset info --bits=no/where first 2>&1
seenset info --bits=no --json first 2>&1 | head -n 1
printf '\377\377\377' | dd of=first bs=1 seek=1000 conv=notrunc 2>/dev/null
seenset info --bits=no first >damage 2>&1
echo $?
grep -c first damage
ls
