# A signal, a limit or a kill in the middle: the old file, and nothing else.
# needs: signals
mkfifo in
for signal in INT TERM HUP KILL; do
    for set in '' '--set seen'; do
        echo old >out
        # shellcheck disable=SC2086  # words are meant
        env --default-signal seenset dedup $set -n 1k -o out --repeats-to rest \
            <in 2>error &
        exec 3>in
        seq 200000 >&3
        kill -$signal $!
        wait $! 2>/dev/null
        echo "$signal $? $(cat out error)"
        exec 3>&-
        # shellcheck disable=SC2046  # words are meant
        echo $(ls -A | grep -v lock)
    done
done
rm -f seen.lock
(
    ulimit -f 100
    seq 200000 | seenset dedup -o out 2>&1
    echo $?
) | cat
cat out
ls -A
