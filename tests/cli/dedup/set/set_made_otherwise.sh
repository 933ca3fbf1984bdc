seenset new seen -n 1k -p 0.001 --on-full degrade
cp seen before
echo a | seenset dedup --set seen -n 2k
echo $?
echo a | seenset dedup --set seen -p 0.01
echo $?
cmp seen before && ls
