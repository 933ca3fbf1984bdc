# remake --keyed makes a new secret, also of a keyed queue, and --secret-file
# names its file. No command succeeds and leaves a queue that only another file
# opens.
opens()
{
    echo "$*: $(seenset queue stat "$@" 2>&1 | head -n 1)"
}
seq 20 | seenset queue push --keyed crawl
seenset queue pop -n 5 crawl | seenset queue ack crawl
# What was seen has other places under another secret.
seenset queue remake --keyed crawl new
echo "kept: $?"
seenset queue remake --keyed --forget-seen crawl new
cmp -s crawl.secret new.secret || echo "another secret"
opens new
opens --secret-file crawl.secret new
seq 20 >seen
seenset queue remake --keyed --secret-file mine --from seen crawl named
ls -d mine named*
opens --secret-file mine named
seq 15 20 | seenset queue push --secret-file mine -v named
# A file that has the old secret does not have a new one.
seenset queue remake --keyed --forget-seen --secret-file crawl.secret crawl same
echo "the file itself: $?"
cp crawl.secret same.secret
seenset queue remake --keyed --forget-seen crawl same
echo "a copy of it: $?, $(ls -d same*)"
# The old secret may be elsewhere.
mv crawl.secret elsewhere
seenset queue remake --keyed --forget-seen crawl far
echo "missing: $?"
seenset queue remake --keyed --forget-seen --old-secret-file mine crawl far
echo "wrong: $?"
seenset queue remake --keyed --forget-seen --old-secret-file elsewhere crawl far
opens far
seenset queue remake --old-secret-file elsewhere crawl more 2>&1 | head -n 1
# Without --keyed the secret is that of the old queue, where it is.
seenset queue remake --secret-file elsewhere crawl kept
opens --secret-file elsewhere kept
ls -d kept*
mv elsewhere crawl.secret
# An exact queue has none.
seenset queue remake --exact --from seen crawl exact
ls -d exact*
# A queue that exists keeps its secret, and a command that fails makes none.
mv crawl.secret elsewhere
echo a | seenset queue push --keyed crawl
echo a | seenset queue push --keyed --secret-file fresh crawl
seenset queue remake --keyed --forget-seen far kept
ls -d crawl.secret fresh kept.secret 2>/dev/null
# While another process makes the queue, it may have read the secret.
mkdir race
flock race/LOCK -c 'echo a | seenset queue push --keyed --wait=0 race'
ls race.secret
