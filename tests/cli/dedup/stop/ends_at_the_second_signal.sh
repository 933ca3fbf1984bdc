# needs: clock
. "$SEENSET_TEST_CLOCK"
# The reader of the output stalls, so that the lines cannot all go out: the
# first signal waits for it, and one after a second does not. Nothing is saved.
# The lines are in a file, so that the first read brings more than the pipe
# holds.
mkfifo out
seq 1000000 >lines
seq 10 | seenset dedup --set seen -n 1k >/dev/null
cp seen before
stand 100
env --default-signal LD_PRELOAD="$SEENSET_TEST_CLOCK_LIBRARY" \
    seenset dedup --set seen <lines >out &
exec 3<out
read -r line <&3
echo "$line"
kill -TERM $!
while grep -q 'ShdPnd:.*[^0:[:space:]]' /proc/$!/status; do sleep 0.01; done
stand 101
while kill -TERM $! 2>/dev/null; do sleep 0.01; done
wait $! 2>/dev/null
echo $?
cmp seen before
