printf 'a\nb' >one
printf 'c\nb\n' >two
echo d | seenset dedup one - two
