# needs: speed
# Lines of over 4 MiB: as if they were short, in bounded memory, in any command.
set -e
perl -e '
    for my $size (4194303, 4194304, 4194305, 9000000, 5, 9000000, 6000000) {
        print "k" x $size, "\n", "short ", $size % 3, "\n", "\n";
    }
    print "k" x 6000000;' >in
perl -ne 'chomp; print "$_\n" unless $seen{$_}++' in >wanted
perl -ne 'chomp; print "$_\n" if $seen{$_}++' in >repeats
for threads in 1 4; do
    seenset dedup --threads $threads in | cmp - wanted
    cat in | seenset dedup -v --threads $threads | cmp - repeats
    seenset dedup --keyed --threads $threads <in | cmp - wanted
    tr '\n' '\0' <in | seenset dedup -0 | tr '\0' '\n' | cmp - wanted
done
seenset dedup -c in
seenset new set -n 100
seenset new --keyed keyed -n 100
seenset new --layout counting counts -n 100
for name in set keyed counts; do
    seenset has -q -v $name <in
    seenset add $name <in
    seenset has $name <in |
        perl -ne 'chomp; print "$_\n" unless $seen{$_}++' | cmp - wanted
    seenset has -v $name <in && exit 1
done
seenset count counts <in | cut -c 1-20 | sort | uniq -c
seenset remove counts <wanted
seenset seal --keyed sealed <wanted
seenset has -v sealed <in && exit 1

# In an address space that the line alone would not fit, where one can limit it.
if sh -c 'ulimit -v 160000; seenset --version || exit 1' >/dev/null 2>&1; then
    (
        ulimit -v 160000
        perl -e 'print "x" x 1000000 for 1 .. 200; print "\nb\n"' |
            seenset dedup --set long -n 1k | wc -c
        perl -e 'print "x" x 1000000 for 1 .. 200; print "\nb\n"' |
            seenset dedup --set long -n 1k | wc -c
    )
    rm long
else
    printf '200000003\n0\n'
fi

# No place for the line: an error, and nothing is taken for seen.
set +e
TMPDIR=/no/such/folder seenset dedup --set seen in | wc -l
ls seen 2>/dev/null
(
    ulimit -f 2000
    TMPDIR=. seenset dedup --set seen in | wc -l
    TMPDIR=. seenset has -v set <in
    echo $?
) | cat
ls -A | tr '\n' ' '
