# A plan of counters, its memory and overflow bound as those of the set made.
seenset plan --layout counting -n 5k -p 1/500
seenset plan --layout counting --counter-bits 8 -n 5k -p 1/500
field() { sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p"; }
seenset plan --json --layout bloom -n 5k -p 1/500 | field size_bits
seenset plan --json -n 5k -p 1/500 | field counter_bits
for bits in 2 3 5 8 11 16; do
    seenset plan --json --layout counting --counter-bits $bits -n 5k -p 1/500 \
        >planned
    seenset new --layout counting --counter-bits $bits -n 5k -p 1/500 c$bits
    seenset info --json c$bits >made
    for of in size_bits counter_bits; do
        [ "$(field $of <planned)" = "$(field $of <made)" ] || echo "$of differs"
    done
    size=$(field size_bytes <planned)
    echo "$bits $(field size_bits <planned) $size"
    # the payload is in whole lines, after a header and before some sums
    over=$(($(wc -c <c$bits) - size))
    [ $over -gt 256 ] && [ $over -lt 600 ] || echo "not $size bytes"
    seq 5000 | seenset add c$bits
    # for as many keys as were new, of which a few were false positives
    awk -v planned="$(field overflow_bound <planned)" \
        -v made="$(seenset info --json c$bits | field overflow_bound)" '
        BEGIN { if (!(made <= planned && planned >= 0)) print "not a bound" }'
done
seenset plan --layout counting --counter-bits 1 || echo "exit $?"
seenset plan --counter-bits 4 || echo "exit $?"
seenset plan --layout counting --counter-bits 17 || echo "exit $?"
