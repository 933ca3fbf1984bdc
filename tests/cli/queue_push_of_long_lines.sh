# An item has a longest length. A line that is longer is refused, and those
# before it are in the queue; one without an end is not read to its end.
mib=1048576
a_line() { head -c $1 /dev/zero | tr '\0' x; }
push()
{
    seenset queue push "$@" || echo "exit $?"
    seenset queue stat $1 | grep pushed
}
a_line $mib | push longest
{ a_line $mib && echo; } | push longest
{ printf 'u\t' && a_line $((mib - 1)) && echo; } | push longest --data
{ echo first && a_line $((mib + 1)); } | push longer
{ echo first && a_line $((mib + 1)) && echo && echo last; } | push longer
{ printf 'first\nu\t' && a_line $mib; } | push longer_data --data
{ echo first && a_line $((64 * mib)); } | {
    seenset queue push endless
    [ "$(wc -c)" -gt $((60 * mib)) ] && echo "was not read to its end"
}
