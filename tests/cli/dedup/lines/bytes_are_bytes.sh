# Every byte value, NULs, empty lines, a 10 MB line, no final newline; the
# exact answer by perl, which every Debian has.
set -e
perl -e '
    binmode STDOUT; srand 7;
    sub line { join "", map { chr int rand 256 } 1 .. int rand 12 }
    my @pool = map { line() } 1 .. 20000;
    for my $i (1 .. 100000) {
        print $pool[rand @pool], "\n";
        print "x" x 10000000, "y\n" if $i == 30000 || $i == 60000;
        print "x" x 10000000, "z\n" if $i == 60000;
        print "\0\n", "\0\0\n", "\n" if $i % 1000 == 0;
    }
    print pack("C*", 0 .. 9, 11 .. 255), "\n\n", "last, without newline"' >in
exact='chomp; print "$_$/" unless $seen{$_}++'
perl -ne "$exact" in >wanted
seenset dedup -p 1e-9 in >ours
cmp wanted ours
seenset dedup -p 1e-9 <in >ours
cmp wanted ours
cat in | seenset dedup -p 1e-9 | cmp wanted -
perl -0ne "$exact" in >wanted
seenset dedup -0 -p 1e-9 in | cmp wanted -
# The comparison can fail.
if seenset dedup -n 10 -p 0.5 in 2>/dev/null | cmp -s wanted -; then
    exit 1
fi
