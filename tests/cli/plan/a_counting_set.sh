# What the refusal says is true: as many counters as bloom has bits.
seenset plan --layout counting || echo "exit $?"
size() { sed -n 's/.*"size_bits": \([0-9]*\).*/\1/p'; }
seenset plan --json --layout bloom -n 5k -p 1/500 | size
for bits in 4 8 16; do
    seenset new --layout counting --counter-bits $bits -n 5k -p 1/500 c$bits
    seenset info --json c$bits | size
    echo "$(($(wc -c <c$bits) * 8 / $(seenset info --json c$bits | size)))"
done
