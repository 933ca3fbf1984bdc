# The journal is beside the file that a link leads to.
set -e
mkdir there
seenset new there/seen -n 4M
ln -s there/seen seen
seenset add seen one
ls there
seenset has there/seen one
seenset compact seen
ls there
