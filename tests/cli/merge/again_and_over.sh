# A source that comes again changes nothing; a union over its promise is told,
# and with --strict not saved.
set -e
for name in a b c; do
    seenset new $name.set -n 1000
    seq 3000 | sed "s/^/$name/" | seenset add $name.set
done
seenset new all.set -n 1000
seenset merge all.set all.set a.set
cp all.set once
for i in 1 2 3; do
    seenset merge all.set all.set a.set
done
cmp all.set once && echo the same bytes

seenset merge --strict all.set all.set b.set c.set && exit 1
cmp all.set once && echo not saved

seenset merge all.set all.set b.set c.set
for name in a b c; do
    seq 3000 | sed "s/^/$name/" | seenset has -v all.set || echo all of $name
done
cp all.set three
seenset merge all.set all.set c.set a.set b.set
cmp all.set three && echo the same bytes
