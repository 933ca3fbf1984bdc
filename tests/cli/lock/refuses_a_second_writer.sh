seenset new seen -n 100
cp seen before
try()
{
    echo a | flock seen.lock seenset "$@"
    echo $?
}
try dedup --set seen
try add seen a
try new seen --force
try merge seen seen
cmp seen before
# Readers are let in, and so is a writer of another file.
seenset new other
try has -v seen a
try add other a
ln -s seen alias
try add alias a
