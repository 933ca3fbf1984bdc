seenset new seen -n 1k --on-full degrade
seq 5000 | seenset add seen
echo $?
