# The same with a set that has grown from a thousand keys: one key goes to the
# journal, the file changes in one byte, every command sees the key, and compact
# makes the file that all keys at once would have made.
set -e
seenset new seen -n 1k -p 1e-6
seq 1000000 | seenset dedup --set seen | wc -l
cp seen before
seenset add seen one
cmp -l before seen || true
seenset has seen one two || echo none
seq 999990 1000000 | seenset has seen | wc -l
echo one | seenset dedup --set seen
echo three | seenset dedup --set seen
seenset info seen | grep -E '^(journal|added)'
seenset verify seen
seenset merge all before seen
seenset has all one three
seenset compact seen
ls seen*
seenset has seen one three
seenset new at_once -n 1k -p 1e-6
{ seq 1000000; echo one; echo three; } | seenset dedup --set at_once | wc -l
cmp seen at_once
