# SIGINT, SIGTERM and SIGHUP: what was read goes out and is saved, and then the
# command ends by that signal. Half a line is not a line yet.
# needs: signals
mkfifo in
for signal in INT TERM HUP; do
    for threads in 1 4; do
        rm -f seen
        : >out
        env --default-signal seenset dedup --threads $threads --set seen \
            -n 1k <in >out &
        exec 3>in
        printf 'one\ntwo\none\nhal' >&3
        until [ "$(wc -l <out)" = 2 ]; do sleep 0.01; done
        kill -$signal $!
        wait $! 2>/dev/null
        status=$?
        echo "$signal $status: $(tr '\n' ' ' <out)"
        exec 3>&-
        printf 'one\ntwo\nthree\n' | seenset dedup --set seen
    done
done
ls
# One that is ignored stays so.
: >out
(
    trap '' HUP
    exec seenset dedup --set seen
) <in >out &
exec 3>in
echo four >&3
until [ "$(wc -l <out)" = 1 ]; do sleep 0.01; done
kill -HUP $!
echo five >&3
exec 3>&-
wait $! 2>/dev/null
echo $?
cat out
