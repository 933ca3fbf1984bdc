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
# Killed at 50 moments, when so many of 90,000 lines were taken from it: first
# those that are new at once, and after about 4,800 the late ones. What is left
# does not fit into a pipe, so each time it is still there to be killed.
seq 90000 >many
mkfifo printed
moment=0
while [ $moment -lt 50 ]; do
    count=$((moment * moment * 24 + 1))
    cat many >in 2>/dev/null &
    writer=$!
    seenset dedup --exact -n 1k --on-full degrade <in >printed 2>/dev/null &
    process=$!
    exec 4<printed
    head -n $count <&4 >/dev/null
    kill -KILL $process
    wait $process 2>/dev/null
    status=$?
    [ $status = 137 ] || echo "moment $moment: not killed, but $status"
    exec 4<&-
    wait $writer 2>/dev/null
    ls -A folder
    moment=$((moment + SEENSET_TEST_STEP))
done
ls
