# --dry-run prints what would be new and changes nothing; --exit-status tells
# whether anything is.
seq 5 | seenset dedup --set seen -n 100 >/dev/null
cp seen before
# What would be new is so once.
printf '5\n6\n6\n7\n' | seenset dedup --dry-run --set seen
printf '6\n7\n' | seenset dedup --dry-run --set seen --exit-status -c
echo $?
seq 5 | seenset dedup --dry-run --set seen --exit-status
echo $?
cmp seen before
seq 2 | seenset dedup --dry-run --set none --keyed
ls -A
# It needs no lock, and takes none.
mkfifo in
seenset dedup --set seen <in >/dev/null &
exec 3>in
until [ -e seen.lock ]; do sleep 0.01; done
seq 6 | seenset dedup --dry-run --set seen
exec 3>&-
wait
seq 6 | seenset dedup --set seen --exit-status
echo $?
seq 6 | seenset dedup --set seen --exit-status
echo $?
: | seenset dedup --exit-status
echo $?
seenset dedup --exit-status missing 2>/dev/null
echo $?
seenset dedup --dry-run 2>&1 | head -n 1
seenset dedup --dry-run --set seen --save-every 5s 2>&1 | head -n 1
