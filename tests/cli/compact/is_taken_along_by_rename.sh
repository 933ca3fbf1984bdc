# The journal has the file's name, so it is folded before the name changes.
set -e
seenset new seen -n 4M --keyed
seenset add seen one
test -s seen.log
seenset rename seen other
ls
seenset has other one two
