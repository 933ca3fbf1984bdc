# Sets of two kinds: what keeps them apart is named, and nothing is written.
try()
{
    seenset "$@" 2>&1
    echo "$?"
}
seenset new four --layout counting --counter-bits 4 -n 1k
seenset new eight --layout counting --counter-bits 8 -n 1k
try merge out four eight
seenset new keyed --keyed -n 1k --on-full degrade
seenset new other --keyed -n 1k --on-full degrade
seenset new plain -n 1k --on-full degrade
try merge out plain keyed
cp keyed.secret out.secret
try merge out keyed other
rm out.secret
seenset new ours -n 1k --layout bloom --on-full degrade
seenset new theirs -n 1k --layout bloom --on-full degrade --scheme md5-divmod
try merge out ours theirs
seenset new refuses -n 1k --layout bloom --on-full refuse
try merge united ours refuses
seenset new k3 -m 9600b -k 3 --layout bloom --on-full degrade
seenset new k4 -m 9600b -k 4 --layout bloom --on-full degrade
try merge out k3 k4
seenset new last -n 100 --on-full rotate
seenset new first -n 100 --on-full rotate --window-tables 3
try merge out last first
echo a | seenset seal sealed
try merge out plain sealed
try intersect out plain sealed
try similarity plain four
try similarity four four
try similarity sealed plain
seenset new grown -n 10
seq 100 | seenset add grown
try merge out plain grown
try similarity plain missing
try intersect
try similarity --secret-file missing keyed plain
ls
