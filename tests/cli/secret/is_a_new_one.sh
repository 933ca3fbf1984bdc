# rekey makes a new secret, and does not take one for new that is not. rename
# leaves no keyed set without a word where its secret is not.
seq 100 >keys
seenset new --keyed set
seenset add set --from keys
cp set.secret new.secret
seenset rekey set new --from keys
echo "a copy of the old one: $?"
[ -e new ] || echo "nothing was made"
rm new.secret
seenset rekey set new --from keys
echo "a new one: $?"
cmp -s set.secret new.secret || echo "another secret"
seenset has new --from keys | wc -l
mv set.secret elsewhere
seenset rekey --secret-file elsewhere set far --from keys
cmp -s elsewhere far.secret || echo "another secret"
cp elsewhere near.secret
seenset rekey --secret-file elsewhere set near --from keys
echo "a copy of one elsewhere: $?"
seenset rename set moved
echo "rename: $?"
seenset has --secret-file elsewhere moved 7
