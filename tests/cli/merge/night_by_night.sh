# needs: speed
# The rate that would have kept the promise does not depend on whether sets are
# merged at once or one after another; and sets that are made with it keep it.
set -e
say()
{
    sed -n 's/.*of all/all/; s/.*make the sets with/make the sets with/p' "$1" |
        tail -n 1
}

seenset new all.set -n 1000
seenset new once.set -n 1000
for night in $(seq 10 29); do
    seenset new $night.set -n 1000
    seq ${night}000000 ${night}002999 | seenset add $night.set >/dev/null
    seenset merge all.set all.set $night.set 2>>nights
done
seenset merge once.set once.set [12][0-9].set 2>once
say nights
say once

rate=$(say nights | sed 's/.*-p //')
seenset new kept.set -n 1000 -p "$rate"
for night in $(seq 10 29); do
    seenset new $night.kept -n 1000 -p "$rate"
    seq ${night}000000 ${night}002999 | seenset add $night.kept >/dev/null
    seenset merge --strict -p 0.01 kept.set kept.set $night.kept
done
seq 29000000 29002999 | seenset has -v kept.set || echo all of the last night

# those of a fixed size are to have room for all
for name in a b; do
    seenset new $name.set -n 1000 --on-full degrade
    seq 1000 | sed "s/^/$name/" | seenset add $name.set >/dev/null
done
seenset merge --strict ab.set a.set b.set || echo not saved
