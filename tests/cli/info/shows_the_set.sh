seenset new seen -n 10k -p 0.001 --layout bloom --on-full refuse
seenset add seen a b c
seenset info seen
seq 5000 | seenset add seen --from -
seenset info seen | grep -c '^distinct, estimated *[45],[0-9][0-9][0-9] keys$'
