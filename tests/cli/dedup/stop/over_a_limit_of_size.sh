# needs: limits
# ulimit -f: an error with a message, the old file as it was, nothing beside it.
seq 1000 | seenset dedup --set seen -n 1M >/dev/null
cp seen before
(
    ulimit -f 1000
    seq 2000 | seenset dedup --set seen
    echo $?
) | tail -n 1
cmp seen before
(
    ulimit -f 1
    seq 2001 9999 | seenset dedup --set seen >out
    echo $?
) | cat
cmp seen before
ls -A
