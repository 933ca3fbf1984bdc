# Two first pushes, each of a file that is more than a new queue is for. The
# first waits in the line of the folder, and has seen that there is no queue; the
# second makes the queue for its own file meanwhile. So the first takes that one.
seq 1100000 >first
seq 1000001 2300000 >second
mkdir queue
flock -o queue sh -c '
    seenset queue push --durability none queue <first &
    echo $! >pid
    until grep -q "^73 " /proc/$(cat pid)/syscall 2>/dev/null || test $((n += 1)) = 100
    do sleep 0.01
    done
    seenset queue push --wait=0 --durability none queue <second
    echo "second: $?"'
until ! kill -0 $(cat pid) 2>/dev/null; do sleep 0.01; done
seenset queue stat --json queue | grep -o '"pending":2[23]' # and five digits
# A queue of other options is still refused.
seenset queue push --exact --durability none queue <first
echo "exact: $?"
