# A command that writes a set waits for another one, for ever or so long.
seenset new seen -n 1000 -p 1e-6
mkfifo lines
seenset dedup --set seen lines > first &
exec 3> lines
while [ ! -e seen.lock ]; do :; done
seenset add seen two
echo $?
seenset add --wait=0.1s seen two
echo $?
seenset dedup --wait=600 --set seen --exit-status > second 3>&- <<END &
one
two
END
waiting=$!
printf 'one\n' >&3
exec 3>&-
wait "$waiting"
echo $?
cat first second
seenset compact --wait seen
seenset dedup --wait=soon --set seen
echo $?
seenset dedup --wait=1
echo $?
