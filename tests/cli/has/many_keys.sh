# More than a batch, from arguments and from standard input.
set -e
seenset new seen -n 100k -p 1e-9
seq 1 2 20001 | seenset add seen
seq 20000 | seenset has seen | cmp - odd 2>/dev/null && exit 1
seq 1 2 19999 >odd
seq 2 2 20000 >even
seq 20000 | seenset has seen | cmp - odd
seq 20000 | seenset has -v seen | cmp - even
# shellcheck disable=SC2046
seenset has seen $(seq 20000) | cmp - odd
