# Lines that end just before, at and after every likely block border.
set -e
perl -e '
    for my $room (65536, 262144, 524288, 1048576) {
        for my $d (-2 .. 2) {
            my $s = "k" x ($room + $d - 1);
            print "$s\n", "$d $room\n", "$s\n", "\n", "$d $room\n";
        }
    }' >in
perl -ne 'print unless $seen{$_}++' in >wanted
seenset dedup -p 1e-9 in | cmp - wanted
cat in | seenset dedup -p 1e-9 | cmp - wanted
