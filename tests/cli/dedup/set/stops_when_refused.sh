seenset new seen -n 3 --on-full refuse
printf 'a\nb\na\nc\nb\nd\na\n' >in
seenset dedup --set seen in
echo $?
seenset has seen a b c d
