# Several threads read pieces of a file at once. What is printed, and every
# number in a message, is that of one thread: with lines so short that a piece
# has more of them than a batch, with long ones, with both, from a place in the
# middle of the file, and where the set refuses a line far into it.
awk 'BEGIN { for (i = 0; i < 700000; i++) print i * 7919 % 911 }' >short
awk 'BEGIN { for (i = 0; i < 120000; i++) print "" }' >empty
awk 'BEGIN { for (i = 0; i < 90000; i++)
    print (i % 30000 < 9000 ? i % 97 : "a line of some length " i % 60000) }' \
    >mixed
awk 'BEGIN { for (i = 0; i < 900; i++) {
    line = i % 500; most = i % 50 == 0 ? 300000 : i % 7 == 0 ? 5000 : 40
    while (length(line) < most) line = line line
    print line } }' >long
head -c 1500001 mixed >cut

same()
{
    name=$1
    shift
    for threads in 1 2 3 8; do
        seenset dedup "$@" --threads $threads >out.$threads 2>err.$threads
        echo $? >>err.$threads
        cmp out.1 out.$threads && cmp err.1 err.$threads ||
            echo "$name: $threads threads differ"
    done
}

for input in short empty mixed long cut; do
    same $input -n 1000 $input
    same "$input refused" -n 20000 --on-full refuse $input
    same "$input repeats" --repeats -n 100000 short $input
    for threads in 1 2; do
        (read -r _ && read -r _ && seenset dedup --threads $threads) \
            <$input >out.$threads
    done
    cmp out.1 out.2
done
same "short refused" -n 900 --on-full refuse empty short
grep -c refused err.2
same "mixed refused" -n 40000 -p 1e-9 --on-full refuse mixed
sed 's/ was refused.*//' err.2
