# needs: glibc
# A line too long, a set that is full, a disk that is.
seenset queue push -n 4 --on-full refuse small <<END
one
two
three
four
five
six
END
echo "full: $?"
seenset queue pop --ack -n 9 small | wc -l
head -c 1048577 /dev/zero | tr '\0' x >long
{ echo before; cat long; echo; echo after; } | seenset queue push lines
echo "long: $?"
{ cat long; cat long; } | seenset queue push lines
echo "endless: $?"
seenset queue push lines <.
echo "a folder: $?"
head -c 1048576 long | seenset queue push lines
seenset queue pop -n 9 --ack lines | wc -c
seenset queue push lines <<END
seen
END
seenset queue pop lines >/dev/full
echo "not printed: $?"
seenset queue stat --json lines >/dev/full
echo "not printed: $?"
seenset queue push -v lines <<END >/dev/full
again
END
echo "not printed: $?"
