# A file without its journal would call keys new, so it is refused.
seenset new seen -n 4M
seenset add seen one
mv seen moved
seenset has moved one
echo $?
seenset add moved two
echo $?
mv seen.log moved.log
seenset has moved one
