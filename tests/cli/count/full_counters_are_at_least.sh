# A counter that is full counted so many, or more; keys in it cannot be removed.
seenset new c --layout counting --counter-bits 4 -n 1k
yes often | head -n 14 | seenset add c
seenset count c often
seenset add c often
seenset count c often never
yes often | head -n 100 | seenset add c
seenset add c once
seenset remove c often once
echo "status $?"
seenset count c often once
seenset new w --layout counting --counter-bits 8 -n 1k
yes often | head -n 254 | seenset add w
seenset count w often
seenset add w often
seenset count w often
