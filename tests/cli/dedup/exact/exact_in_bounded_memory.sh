# needs: speed
# Lines, hashes and texts that are larger than the address space: over a million
# lines, of which the set calls nearly all seen, and lines of 100 MB.
limit=90000
sh -c "ulimit -v $limit; seenset --version || exit 1" >/dev/null 2>&1 ||
    limit=unlimited
limited()
{
    sh -c "ulimit -v $limit; exec \"\$@\"" sh seenset dedup --exact \
        --threads 1 -n 1k --on-full degrade "$@" 2>/dev/null
}
fill=$(printf '%060d' 0)
seq -f "%.0f $fill" 1200000 | limited | cut -d ' ' -f 1 | sort -n |
    awk '$1 != NR { wrong++ } END { print NR, wrong + 0 }'
# What holds all lines meets the limit.
seq -f "%.0f $fill" 1200000 |
    sh -c "ulimit -v $limit; exec awk '!seen[\$0]++'" >/dev/null 2>&1 &&
    echo "a limit that is not met shows nothing"
# The sizes of lines, each as often as it comes.
sizes()
{
    perl -ne '$count{length($_) - 1}++;
        END { print map("$count{$_} of $_\n", sort { $a <=> $b } keys %count) }'
}
for name in a b a; do
    perl -e 'print "x" x 1000000 for 1 .. 100; print "'$name'\n"'
    seq 1000 9999
done >in
limited in | sizes
limited -c in
for shard in 0 1; do
    limited --shard $shard/2 in
done | sizes
