# Another secret, the same keys; what is missing or foreign is said.
# Each run has another secret: at these rates a key is taken for another one in
# one run of 1e10.
seq 1000 >keys
seenset new old --keyed -n 500 -p 1e-15
seenset add old <keys
seenset rekey --from keys old new
echo "status $?"
seenset has -v new <keys | wc -l
cmp -s old.secret new.secret && echo "the secret is the old one"
stat -c %a new.secret
seenset has -q --secret-file old.secret new 1 2>/dev/null
echo "status $?"
seenset info new | grep -E 'keyed|when|promised|added'

# Keys that OLD does not have are left out.
seq 1005 | seenset rekey old more
echo "status $?"
seenset has more 1001 1002 1003 1004 1005
# Keys of OLD that did not come.
head -n 900 keys | seenset rekey old less
echo "status $?"
ls less less.secret 2>&1 | wc -l
head -n 900 keys | seenset rekey --partial old less
echo "status $?"
seenset has less 900 901

# The keys of a set that is not keyed.
seenset new plain -n 2k -p 1e-15 --on-full refuse
seenset add plain <keys
seenset rekey plain keyed <keys
echo "status $?"
seenset info keyed | grep -E 'keyed|when full|capacity'
seenset merge both keyed keyed && seenset has both 7
# Counts are those of the keys that come.
seenset new counting -n 1k --layout counting
seenset add counting a a a b
printf 'a\na\na\nb\n' | seenset rekey counting counted
seenset count counted a b

# In the place of OLD.
seenset rename --force new old
seenset has -v old <keys | wc -l

seenset rekey old old <keys
echo "status $?"
seenset rekey old plain <keys
echo "status $?"
seenset seal sealed keys
seenset rekey sealed x <keys
echo "status $?"
seenset new window --window 24h
seenset rekey window x <keys
echo "status $?"
seenset new scheme --scheme murmur3-128 -m 1kB -k 3
seenset rekey scheme x <keys
echo "status $?"
find . -name 'x*'
