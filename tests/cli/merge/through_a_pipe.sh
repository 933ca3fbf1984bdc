# "ssh b cat s.set | seenset merge all.set -" keeps what all.set has.
set -e
seenset new all -n 1k
cp all there
seenset add all apple pear
seenset add there pear plum
seenset merge all - <there
seenset has all apple pear plum fig | tr '\n' ' '
seenset merge first - <there
seenset has first apple plum
seenset merge --force first - <all
seenset has first apple fig

# To a pipe: the same bytes as a file.
seenset merge file all there
seenset merge - all there | cmp - file
seenset merge - all - <there | cmp - file
ln -s all link
seenset merge link - all <there 2>/dev/null
cmp all file

# Keyed: the secret beside a file is that of the pipe, too.
seenset new k --keyed
cp k k2
cp k.secret k2.secret
seenset add k apple
seenset add k2 pear
seenset merge k - <k2
seenset has k apple pear | tr '\n' ' '
seenset merge new - k <k2
seenset has new apple pear | tr '\n' ' '
echo

set +e
seenset merge out - - <all
echo "status $?"
seenset merge out - <k2
echo "status $?"
seenset new all -n 1M --on-full degrade --force
seenset merge all - <there
echo "status $?"
seenset merge out </dev/null
echo "status $?"
seenset new many -n 1k -k 8
printf x | seenset merge many -
echo "status $?"
seenset merge - all >/dev/full
echo "status $?"
ls
