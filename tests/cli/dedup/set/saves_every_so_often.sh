# An endless feed: the set is saved while the feed is quiet, and again for what
# comes later. A kill loses no line that was printed only since the last save:
mkfifo in
has()
{
    until seenset has -q seen "$1" 2>/dev/null; do sleep 0.01; done
    echo "saved $1"
}
run()
{
    seenset dedup --set seen -n 1k "$@" <in >out &
    exec 3>in
}
run --save-every 1s
printf 'one\nhal' >&3
has one
printf 'f\n' >&3
has half
cat out
kill -KILL $!
wait $! 2>/dev/null
exec 3>&-

run --save-every 3lines --threads 1
printf 'half\nthree\n' >&3
until grep -q three out; do sleep 0.01; done
printf 'four\nfive\n' >&3
has three
kill -KILL $!
wait $! 2>/dev/null
exec 3>&-
printf 'one\nhalf\nthree\n' | seenset dedup --set seen

# add
seenset add --save-every 1s seen <in &
exec 3>in
echo six >&3
has six
echo seven >&3
exec 3>&-
wait $! 2>/dev/null
echo $?
has seven

# Each line of a long feed is printed once, whatever the pauses.
seq 200000 | seenset dedup --set long --save-every 1k >out
seq 200000 | cmp - out
seq 200000 | seenset dedup --set long
seenset dedup --save-every 3s </dev/null 2>&1
echo $?
for wrong in 0s 3 x -1s; do
    seenset dedup --set long --save-every=$wrong </dev/null 2>&1
    echo $?
done
