# The same output, in the same order, whatever the threads and the source; the
# lines are long and short, so that batches end early and late.
set -e
perl -e '
    srand 9;
    for my $i (1 .. 60000 / $ENV{SEENSET_TEST_STEP}) {
        my $n = int rand 40000;
        my $long = $n % 5000 == 0 ? 300000 : $n % 100 == 0 ? 3000 : $n % 50;
        print $n, "x" x $long, "\n";
    }
    print "\n" x 100000, "last"' >in
perl -ne 'chomp; print "$_\n" unless $seen{$_}++' in >wanted
perl -ne 'chomp; print "$_\n" if $seen{$_}++' in >repeats
for threads in 1 2 4 7; do
    seenset dedup -p 1e-9 --threads $threads in | cmp - wanted
    seenset dedup -p 1e-9 --threads $threads <in | cmp - wanted
    perl -pe 'BEGIN { $| = 1 }' in |
        seenset dedup -p 1e-9 --threads $threads | cmp - wanted
    seenset dedup -v -p 1e-9 --threads $threads in | cmp - repeats
    seenset dedup -p 1e-9 --threads $threads in in /dev/null in | cmp - wanted
    seenset dedup -p 1e-9 --threads $threads -c in | cut -c 11-
done
# The comparison can fail.
if seenset dedup -n 10 -p 0.5 --threads 2 in 2>/dev/null | cmp -s wanted -; then
    exit 1
fi
