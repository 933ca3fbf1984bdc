# An empty set is made; what is measured is a full one of the same options.
seenset new --audit=5 seen -n 20k -p 1% --on-full refuse
seenset info --json seen | grep -e '^  "added' -e '^  "capacity'
# The same secret in each run.
(umask 077 && echo 000102030405060708090a0b0c0d0e0f >keyed.secret)
seenset new --audit=5 --keyed keyed -n 1k -p 1e-3 2>figures
head -n 1 figures
ls
seenset new --audit=5 seen
echo $?
seenset new --audit=5 huge -n 4T -m 900TB
echo $?
for seed in 0 x -1 1e30; do
    seenset new --audit=$seed other 2>&1 | head -n 1
done
seenset info --audit --bits seen 2>&1 | head -n 1
ls
