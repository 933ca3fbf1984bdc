# needs: png
# The counters of ten digits in m = 100, k = 3: places 25, 40 and 96 hold 2.
seenset new seen --layout counting --counter-bits 3 -m 100b -k 3 \
    --scheme md5-divmod
seq 0 9 | seenset add seen
seenset info --counters seen
echo "twice: $(seenset info --counters seen | tr -s ' \n' '\n\n' | grep . |
    grep -n 2 | cut -d : -f 1 | while read -r n; do printf ' %d' $((n - 1)); done)"
seenset remove seen 3
seenset info --counters seen | sed -n 2p
yes 4 | head -n 20 | seenset add seen
seenset info --counters seen | tr -s ' \n' '\n\n' | grep -c 7
# a picture, whose full counters are white
seenset info --counters --picture seen.png seen
head -c 8 seen.png | od -An -tx1
seenset new wide --layout counting --counter-bits 12 -m 41b -k 1
seenset add wide x x x
seenset info --counters wide | awk '{ print length, NF }'
seenset info --counters wide | tr -d ' 0\n'
echo
# what it cannot
seenset new bits
seenset info --counters bits || echo "exit $?"
seenset info --counters --picture bits.png bits || echo "exit $?"
seenset info --counters --bits seen || echo "exit $?"
seenset info --counters --json seen || echo "exit $?"
seenset new large --layout counting -m 256KiB
seenset info --counters large || echo "exit $?"
seenset info --counters --force large | wc -l
seenset info --counters --force large >/dev/full || echo "exit $?"
ls
