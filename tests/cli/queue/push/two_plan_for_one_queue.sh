# Two first pushes, each of a file that is more than a new queue is for. The
# first waits in the line of the folder, and has seen that there is no queue; the
# second makes the queue for its own file meanwhile. So the first takes that one.
seq 1100000 >first
seq 1000001 2300000 >second
mkdir queue
cat >push_first <<'END'
echo $$ >pid
exec seenset queue push --durability none queue <first
END
flock -o queue sh -c '
    { sh push_first; echo "first: $?" >status; } &
    until grep -q "^73 " "/proc/$(cat pid)/syscall" || test $((n += 1)) = 100
    do sleep 0.01
    done 2>errors
    seenset queue push --wait=0 --durability none queue <second
    echo "second: $?"'
until [ -s status ]; do sleep 0.01; done
cat status
seenset queue stat --json queue | grep -o '"pending":2[23]' # and five digits
# A queue of other options is still refused.
seenset queue push --exact --durability none queue <first
echo "exact: $?"
