# --secret-file wherever a set is opened or made, and every bad secret.
seenset new --keyed --secret-file s --layout counting a -n 1k
seenset add --secret-file s a x y y
seenset has --secret-file s a x z
seenset count --secret-file s a y
seenset remove --secret-file s a x
seenset info --secret-file s a | grep -c keyed
seenset new --secret-file s --on-full degrade b -n 1k
seenset add --secret-file s b x y
seenset merge --secret-file s c b b
seenset similarity --secret-file s b c | head -n 1
seenset intersect --secret-file s d b c
printf 'y\nq\n' | seenset dedup --set d --secret-file s
echo k | seenset seal --keyed --secret-file s e
seenset has --secret-file s e k
ls
bad()
{
    chmod 600 bad 2>/dev/null
    seenset has --secret-file bad b x 2>&1
    echo "$?"
}
tr a-f A-F <s >bad
bad
tr -d '\n' <s >bad
bad
{ cat s; echo; } >bad
bad
sed 's/^./g/' s >bad
bad
sed 's/^\(.\)./\1@/' s >bad
bad
tr '\n' ' ' <s >bad
bad
: >bad
bad
rm bad
mkdir -m 700 bad
bad
rmdir bad
bad
