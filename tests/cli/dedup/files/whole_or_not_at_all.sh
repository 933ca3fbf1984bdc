# -o: the file is there when it is whole, and is as it was after anything else.
exec 2>&1
printf 'a\nb\na\n' >in
echo old >out
chmod 640 out
seenset dedup -o out in
cat out
stat -c %a out
# It may be an input, by any name.
ln -s in link
seenset dedup in in -o link
cat in
readlink link
echo old >out
seenset dedup -o out in missing
seenset dedup -o out in --set seen missing
seenset dedup -o no/such/out in
seenset dedup -o . in
seenset new set -n 10
seenset dedup -o set in
seenset dedup -o ./new.set --set new.set in
seenset dedup -o new --repeats-to ./new in
seenset dedup -o out --save-every 5s --set seen in 2>&1 | head -n 1
seenset dedup -c -o out in 2>&1 | head -n 1
seenset dedup -v --repeats-to out in 2>&1 | head -n 1
seenset dedup -o '' in 2>&1 | head -n 1
cat out
ls -A
# A pipe or a device is written to.
seenset dedup -o /dev/stdout in | cat
seenset dedup --repeats-to - in 2>&1 | head -n 1
seenset dedup -o /dev/full in
echo $?
# A set is saved after its lines are in their place.
seenset dedup -o out --set seen in
seenset has seen a b && cat out
seenset dedup -o out --set seen in
wc -l <out
# Repeats do not replace what is read: what came once would be nowhere.
printf 'a\nb\na\n' >in
cp in same
ln in hard
ln -sf in link
for out in in ./in hard link; do
    seenset dedup --repeats-to $out in
    seenset dedup --repeats-to $out <in
    seenset dedup -v -o $out same in
    echo $?
done
seenset dedup --repeats-to in --set never.set - <in
cmp in same && cmp hard same && ls -A
seenset dedup -o in --repeats-to again in && cat in again
