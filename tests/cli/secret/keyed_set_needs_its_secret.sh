seenset new seen --keyed
stat -c '%a %n' seen.secret
seenset add seen a b
seenset has seen a b c
seenset info seen | grep keyed
od -An -v -tx1 seen | tr -d " \n" | grep -c "$(cat seen.secret)"
seenset verify seen | cut -d : -f 2 | cut -d , -f 1
chmod 644 seen.secret
seenset has seen a
echo $?
chmod 600 seen.secret
mv seen.secret elsewhere
seenset has seen a
echo $?
seenset has --secret-file elsewhere seen a
seenset new other --keyed --secret-file other-secret
seenset has --secret-file other-secret seen a
echo $?
seenset new plain
seenset has --secret-file elsewhere plain a
echo $?
echo no >short
chmod 600 short
seenset has --secret-file short seen a
echo $?
mv elsewhere seen.secret
seenset merge copy seen
seenset has copy b
cmp seen.secret copy.secret
seenset merge --force other seen
printf 'a\nx\n' | seenset dedup --set seen
printf 'a\na\n' | seenset dedup --set new --keyed
printf 'a\nb\n' | seenset dedup --set new --keyed
printf 'a\na\n' | seenset dedup --keyed
ls
