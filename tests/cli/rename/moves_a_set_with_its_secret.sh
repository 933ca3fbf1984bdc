# FILE and FILE.secret together, never over a file without --force, and again
# after it was stopped.
both() { ls | tr '\n' ' ' && echo; }
seenset new old --keyed
seenset add old apple
cp old.secret kept
mv kept ../kept.$$ && trap 'rm -f ../kept.$$' EXIT
seenset rename old new && both
seenset has new apple
cmp new.secret ../kept.$$ && stat -c %a new.secret

# A set that is not keyed; a secret beside it is not its own.
seenset new plain
cp ../kept.$$ plain.secret
seenset rename plain other && both
rm other plain.secret

# Never over a file, nor its secret.
seenset new there --keyed
cp there there.was
cp there.secret ts.was
seenset rename new there
echo "status $?"
cmp there there.was && cmp there.secret ts.was
seenset rename new there/x 2>/dev/null
echo "status $?"
mkdir folder
seenset rename new folder
echo "status $?"
seenset rename new new
echo "status $?"
seenset rename nosuch x
echo "status $?"
echo text >text
seenset rename text x
echo "status $?"
ln -s new link
seenset rename link x
echo "status $?"
cp ts.was stray.secret
seenset rename new stray
echo "status $?"
seenset has new apple
rm -r folder text link stray.secret there.was ts.was
seenset rename --force new there && both
seenset has there apple

# Stopped after its first step, and after its second: the same command again.
head -c 20 there.secret >next.secret
seenset rename there next && both
: >last.secret
seenset rename next last && both
seenset rename last there
cp there.secret next.secret
seenset rename there next && both
cp next.secret there.secret
seenset rename there next && both
seenset has next apple

# In use: nothing happens.
(
    flock 9
    seenset rename next last
    echo "status $?"
) 9>next.lock
both

# A set with a journal beside it moves whole.
rm -f ./*
seenset new j --keyed -n 100k
seq 3 | seenset add j
[ ! -e j.log ] || echo "keys are in a journal" >&2
: >j.log
seenset rename j j2
seenset has j2 1 2 3 | wc -l
