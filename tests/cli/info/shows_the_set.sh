seenset new seen -n 10k -p 0.001 --layout bloom --on-full refuse
seenset add seen a b c
seenset info seen
