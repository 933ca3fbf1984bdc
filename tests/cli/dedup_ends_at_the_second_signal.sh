# The reader of the output stalls, so that the lines cannot all go out: the
# first signal waits for it, and a second one does not. Nothing is saved.
mkfifo out
seq 10 | seenset dedup --set seen -n 1k >/dev/null
cp seen before
seq 1000000 | env --default-signal seenset dedup --set seen >out &
exec 3<out
read -r line <&3
echo "$line"
while kill -TERM $! 2>/dev/null; do sleep 0.01; done
wait $! 2>/dev/null
echo $?
cmp seen before
