seenset new seen --keyed
seenset add seen a b c
seenset info --json seen >with
mv seen.secret elsewhere
seenset info --json seen | cmp - with && echo same
seenset info - <seen | grep keyed
seenset info --audit seen
echo $?
seenset has seen a
echo $?
# a secret that is beside it, or named, has to be its own
seenset new other --keyed
cp other.secret seen.secret
seenset info seen
echo $?
seenset info --secret-file other.secret - <seen
echo $?
# with keys in its journal
seenset new big -n 5M --keyed
seenset add big a b
rm big.secret
ls big.log
seenset info big | grep added
