# One key goes to the journal; the file changes in one byte. Every command sees
# the key, and compact makes the file that has it without a journal.
set -e
seenset new seen -n 4M
cp seen before
seenset add seen one
cmp -l before seen || true
test -s seen.log
seenset has seen one two || echo none
echo one | seenset dedup --set seen
echo three | seenset dedup --set seen
seenset info seen | grep '^journal'
seenset info --json seen | grep journal_
seenset verify seen
seenset merge all before seen
seenset has all one three
seenset compact seen
ls seen*
seenset has seen one three
seenset verify seen
seenset compact seen
seenset compact missing || echo $?
