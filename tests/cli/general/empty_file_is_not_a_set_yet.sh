# An empty file, as mktemp makes it: what makes sets takes it, and keeps its
# mode; what needs a set says what to do, and leaves it.
umask 022
fresh()
{
    rm -f set
    : >set
    chmod 600 set
}
seq 3 >lines
seenset new some -n 100
mode()
{
    stat -c '%a %s' set | awk '{ print $1, ($2 > 0) }'
    seenset verify set | cut -d , -f 1
}
fresh
seenset new set -n 100
mode
fresh
seenset seal set lines
mode
fresh
seenset merge set some
mode
fresh
seenset new set --keyed
mode
rm set.secret
fresh
for command in 'dedup --set set lines' 'add set 1' 'has set 1' 'count set 1' \
    'remove set 1' 'info set' 'verify set' 'similarity set some' \
    'similarity some set' 'merge out set' 'merge out some set' \
    'intersect out some set' 'add set --from lines'; do
    seenset $command
    echo "$? $(stat -c '%a %s' set)"
done
# With nothing there, dedup begins a set.
rm set
seenset dedup --set set lines
mkdir folder
seenset dedup --set folder lines
echo $?
ls
