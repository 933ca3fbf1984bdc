# needs: urls
# An item has a longest length. A line that is longer is left out and said at
# the end, those after it go in; one without an end takes no memory.
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
{ echo first && a_line $((mib + 1)) && echo; } | push longer --strict
{ printf 'first\nu\t' && a_line $mib && echo && echo last; } |
    push longer_data --data
{ echo first && a_line $((3 * mib)) && echo && a_line $((9 * mib)) && echo &&
    echo last; } | push two -v | cut -c 1-20
kib=65536 # but a sanitizer has to have more
(ulimit -v $kib && seenset --version || exit 1) >/dev/null 2>&1 || kib=unlimited
{ echo first && a_line $((200 * mib)) && echo && echo last; } |
    { ulimit -v $kib && push endless -n 1000; }
seenset queue pop --ack -n 9 endless
# A normal form can be longer than what it was made of: only that one is out.
{ echo http://a.example/1 && printf 'http://a.example/' &&
    head -c 20000 /dev/zero | tr '\0' '"' && printf '\t' &&
    a_line $((mib - 25000)) && echo && echo http://a.example/2; } |
    push grown -v --data --normalise url | cut -c 1-30
