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
# Killed at 50 moments, when so many of 60,000 lines are printed: first those
# that are new at once, and after about 4,800 the late ones.
seq 60000 >many
moment=0
while [ $moment -lt 50 ]; do
    count=$((moment * moment * 24 + 1))
    : >out
    seenset dedup --exact -n 1k --on-full degrade <in >out 2>/dev/null &
    process=$!
    exec 3>in
    cat many >&3
    [ $count -le 4000 ] || exec 3>&-
    until [ -n "$(sed -n "$count{p;q}" out)" ]; do :; done
    kill -KILL $process 2>/dev/null
    wait $process 2>/dev/null
    exec 3>&-
    ls -A folder
    moment=$((moment + SEENSET_TEST_STEP))
done
ls
