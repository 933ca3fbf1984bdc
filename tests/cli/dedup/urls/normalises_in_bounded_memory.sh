# needs: urls
# A line of over 4 MiB is not a URL: it is left out, and is written nowhere.
perl -e 'print "http://a.example\nhttp://", "a" x 9000000, "\nHTTP://a.example/\n";
    print "http://a/", "x" x 65000, "\n";
    print "http://a/", "x" x 70000, "\n";' >in
for threads in 1 4; do
    TMPDIR=/no/such/folder seenset dedup --threads $threads --normalise url in |
        cut -c 1-20
done
TMPDIR=/no/such/folder seenset dedup --normalise url --set seen --keyed in | wc -c
# Forms that are longer than their lines: each batch keeps them all.
perl -e 'for my $i (1 .. 40000) {
    print "http:\xc3\xa9$i.x?", " \xff" x 9, "z\n" }' >lines
seenset dedup --normalise url -n 50k lines | cmp - lines && echo same
