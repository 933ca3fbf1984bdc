# A link's secret is its target's; no secret is left by a set that was not
# made, none is replaced, and none is written where it cannot be.
mkdir there
seenset new --keyed there/set -n 100
ln -s there/set link
seenset add link x
seenset has link x
seenset merge copy link
cmp there/set.secret copy.secret && echo "the same secret"
seenset new --keyed large -n 9e15 -p 1e-18
echo $?
seenset new --keyed missing/set
echo $?
seenset new --keyed other -n 100
cp other out
cp other.secret out.secret
seenset merge --force out link
echo $?
seenset dedup --keyed --set plain </dev/null
seenset new --force plain
echo x | seenset dedup --keyed --set plain
echo $?
ls . there
