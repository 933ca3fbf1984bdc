seenset new seen -n 1k
seq 5000 | seenset add seen
echo $?
