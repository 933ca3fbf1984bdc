# needs: clock
. "$SEENSET_TEST_CLOCK"
# One request to stop comes as several signals: timeout signals its child and
# then the group, and a terminal that closes sends SIGHUP twice. Within a second
# they are one, whichever they are, and the set is saved.
mkfifo in out
stand 100

# signal_it NAME: returns once the signal was delivered.
signal_it()
{
    kill -"$1" $!
    while grep -q 'ShdPnd:.*[^0:[:space:]]' /proc/$!/status; do
        sleep 0.01
    done
}

# As the reader of the output stalls, the command lives on after the first one.
seq 1000000 >lines
for signals in 'INT INT INT' 'TERM TERM' 'HUP HUP TERM INT'; do
    rm -f seen
    env --default-signal LD_PRELOAD="$SEENSET_TEST_CLOCK_LIBRARY" \
        seenset dedup --set seen -n 1M <lines >out &
    exec 3<out
    read -r line <&3
    for signal in $signals; do signal_it "$signal"; done
    { echo "$line" && cat <&3; } >printed
    exec 3<&-
    wait $! 2>/dev/null
    echo "$signals: $?, $line first"
    # What was printed is what the set has.
    head -n "$(wc -l <printed)" lines | cmp - printed
    seenset dedup --set seen printed | wc -l
done

# By timeout itself, which passes on what it gets as it does in its time.
for signal in INT TERM HUP; do
    rm -f seen
    : >printed
    env --default-signal LD_PRELOAD="$SEENSET_TEST_CLOCK_LIBRARY" \
        timeout 1000 seenset dedup --set seen -n 1k <in >printed &
    exec 3>in
    printf 'one\ntwo\none\nhal' >&3
    until [ "$(wc -l <printed)" = 2 ]; do sleep 0.01; done
    kill -$signal $!
    wait $! 2>/dev/null
    echo "timeout, $signal: $(seenset has seen one two hal | tr '\n' ' ')"
    exec 3>&-
done
ls
