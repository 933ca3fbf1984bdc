# The bits of a full table show nothing: a figure that follows from them has no
# bound of its error, which is "unknown", and null in JSON.
seenset new -n 10 --on-full degrade full
seq 3000 | seenset add full 2>warning
seenset new -n 10 --on-full degrade few
seq 5 | seenset add few
seenset diff full few
seenset diff --json full few | grep -E '"(a|b)_items'
seenset similarity full few
