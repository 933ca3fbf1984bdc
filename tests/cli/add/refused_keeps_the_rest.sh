seenset new seen -n 2 --on-full refuse
seenset add seen a a b c d
echo $?
seenset has seen a b c d
