# What happens after N different lines, in memory and in a file.
seq 9 >in

echo "in memory"
seenset dedup -n 4 --on-full refuse in
echo "status $?"
seenset dedup -n 4 --on-full refuse -c in
echo "status $?"
seenset dedup -n 4 --times 2 --on-full refuse in in
echo "status $?"
seq 4 | seenset dedup -n 4 --on-full refuse | cksum
seq 4 | cksum

# Memory that is fixed, and a message; or memory that grows, and none.
seq 100000 >many
for how in degrade grow; do
    seenset dedup -n 1k -p 0.001 --on-full $how --stats=json -c many \
        >counts 2>err
    echo "$how: status $?, messages $(grep -c 'past its capacity' err)," \
        "tables $(grep -o '"table_count": [0-9]*' err)"
    awk '$1 == "new" { print ($2 > 99000 ? "most" : "few") " were new" }' counts
done

# A refused line is the first that the file does not have.
echo "in a file"
seenset dedup --set seen -n 4 --on-full refuse in
echo "status $?"
seenset has -v seen <in
seenset info seen | grep -i 'when full'
echo 2 | seenset dedup --set seen -n 4 --on-full refuse
echo "status $?"

# The way out that the message names.
seenset new larger -n 100
seenset merge --force larger larger seen
seenset dedup --set larger in

echo "mistakes"
try()
{
    seenset dedup "$@" <in 2>&1 | head -n 1
}
cp seen before
try --set seen --on-full grow
try --set seen --on-full degrade
cmp seen before
try --on-full rotate
try --on-full refuse --window 10k
try --on-full grow --times 2
