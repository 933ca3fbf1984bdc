seenset new seen -n 10
seenset add seen a
cp seen before
seenset new seen -n 10
echo $?
cmp seen before
seenset new seen -n 10 --force && seenset has -v seen a
