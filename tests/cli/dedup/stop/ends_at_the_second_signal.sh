# The reader of the output stalls, so that the lines cannot all go out: the
# first signal waits for it, and a second one does not. Nothing is saved. The
# lines are in a file, so that the first read brings more than the pipe holds.
mkfifo out
seq 1000000 >lines
seq 10 | seenset dedup --set seen -n 1k >/dev/null
cp seen before
env --default-signal seenset dedup --set seen <lines >out &
exec 3<out
read -r line <&3
echo "$line"
while kill -TERM $! 2>/dev/null; do sleep 0.01; done
wait $! 2>/dev/null
echo $?
cmp seen before
