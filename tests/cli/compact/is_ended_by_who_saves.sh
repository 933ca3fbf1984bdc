# Commands that write the file again take the journal's keys along.
set -e
seenset new seen -n 4M --layout counting
seenset add seen one two
test -s seen.log
seenset remove seen two
test ! -e seen.log
seenset has seen one two
seenset add seen three three
seenset count seen one three
seenset new --force seen -n 4M
test ! -e seen.log
seenset has seen one three || echo none
