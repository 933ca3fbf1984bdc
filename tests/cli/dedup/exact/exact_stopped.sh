# A signal ends the input: late lines of what was read are printed, and then the
# command ends by that signal. A kill leaves no file.
# needs: signals
mkfifo in
mkdir folder
export TMPDIR=folder
for signal in INT TERM HUP; do
    : >out
    env --default-signal seenset dedup --exact -n 1 --on-full degrade \
        <in >out 2>/dev/null &
    exec 3>in
    seq 3000 >&3 # at least a block of them is read at once
    until [ "$(wc -l <out)" -gt 0 ]; do sleep 0.01; done
    printf '1\n2\nhal' >&3
    kill -$signal $!
    wait $! 2>/dev/null
    echo "$signal $?: $(sort -n out | awk '$1 != NR { wrong++ }
        END { print (NR > 900), wrong + 0 }')"
    exec 3>&-
    ls -A folder
done
# Killed when so many lines are printed: first those that are new at once, and
# after about 4,800 the late ones.
seq 200000 >many
for count in 1 500 2000 4000 20000 60000 120000 190000; do
    : >out
    seenset dedup --exact -n 1k --on-full degrade <in >out 2>/dev/null &
    process=$!
    exec 3>in
    cat many >&3
    [ $count -lt 20000 ] || exec 3>&-
    until [ "$(wc -l <out)" -ge $count ]; do sleep 0.001; done
    kill -KILL $process 2>/dev/null
    wait $process 2>/dev/null
    exec 3>&-
    ls -A folder
done
ls
