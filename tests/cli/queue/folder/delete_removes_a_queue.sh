# Deletes what is a queue and nothing else; items that are not acked need
# --force; a link is not followed.
try()
{
    seenset queue delete "$@"
    echo "$*: $?"
}
fill()
{
    printf 'http://a.example/1\nhttp://a.example/2\n' |
        seenset queue push -n 100 "$@"
}
fill crawl
try crawl
seenset queue pop --ack crawl
seenset queue pop crawl >popped
try crawl
seenset queue ack crawl <popped
try crawl
ls -A
fill crawl
try --force crawl/
# In use by another process.
fill crawl
seenset queue pop -n 2 --ack crawl
flock crawl/LOCK -c 'exec sleep 600' &
holder=$!
until seenset queue push --wait=0 crawl </dev/null 2>&1 | grep -q 'in use'; do
    sleep 0.01
done
try --wait=0 crawl
try --force --wait=0.1 crawl
kill $(ps -o pid= --ppid $holder) $holder
wait $holder 2>err
ln -s crawl link
try link
try --force link/
rm link
# Other files stay, and links in it are not followed.
echo mine >precious
echo mine >crawl/log-1
ln -sf ../precious crawl/set-ffffffffffffffff
try crawl
cat precious
find crawl
# What is not a queue.
mkdir papers
echo mine >papers/MANIFEST
echo mine >papers/log-0000000000000000
try papers
try --force papers
try --force precious
try --force missing
try
try a b
ls papers
# What a killed delete left, and a queue that cannot be read.
fill half
rm half/MANIFEST
try half
try --force half
fill damaged
printf x | dd of=damaged/MANIFEST bs=1 seek=30 conv=notrunc 2>dd
try damaged
try --force damaged
fill --keyed keyed
mv keyed.secret elsewhere
try keyed
try --secret-file elsewhere keyed
seenset queue pop -n 2 --ack --secret-file elsewhere keyed
try --secret-file elsewhere keyed
ls
