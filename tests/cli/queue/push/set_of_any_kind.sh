# A keyed queue finds its secret beside it, or where it is told to; a window
# forgets; an exact queue has no rate.
chmod_of()
{
    stat -c %a "$1"
}
printf 'a\nb\na\n' | seenset queue push -v --keyed crawl
chmod_of crawl.secret
grep -rlF "$(cat crawl.secret)" crawl
echo "in the queue: $?"
printf 'a\nc\n' | seenset queue push -v crawl/
seenset queue pop -n 9 crawl >popped
seenset queue ack crawl <popped
seenset queue stat --json crawl | tr ',' '\n' | grep -E '"(pushed|acked)"'
seenset queue verify crawl | cut -d , -f 1
mv crawl.secret elsewhere
seenset queue pop crawl
echo "no secret: $?"
seenset queue stat --secret-file elsewhere --json crawl | grep -c pushed
seenset queue verify --secret-file elsewhere crawl | cut -d , -f 1
seenset queue repair --secret-file elsewhere crawl | cut -d , -f 1
tr 0-9a-f 1-9a-f0 <elsewhere >other
chmod 600 other
for command in 'push' 'pop' 'stat' 'verify' 'repair'; do
    seenset queue $command --secret-file other crawl </dev/null
    echo "another secret: $?"
done
echo d | seenset queue push plain
seenset queue pop --secret-file elsewhere plain
echo "not keyed: $?"
echo e | seenset queue push --keyed plain
echo "not keyed: $?"
ls
seq 5 | seenset queue push --exact few
seq 7 | seenset queue push -v few
seenset queue stat few |
    grep -E 'promised_rate|current_rate|wrongly_dropped|pushed|capacity|fill'
seenset queue stat --json few | tr ',' '\n' | grep -E 'capacity|exact|rate'
echo f | seenset queue push --exact --window 5 both 2>/dev/null
echo "exact, and a window: $?"
seq 3 | seenset queue push --scheme murmur3-128 -n 1k schemed
seq 3 | seenset queue push --layout bloom -n 1k --sliding --window 1d window
seenset queue stat window | grep -E 'pushed'
# What the message about a bare number advises.
seq 9 | seenset queue push --window 5URLs urls && echo "5URLs: $?"
