set -e
printf 'a\nb\na\n' | seenset dedup --set seen -n 1k -p 1e-6
echo --
printf 'b\nc\n' | seenset dedup --set seen
echo --
printf 'a\nb\nc\n' | seenset dedup --set seen -n 1000 -p 1/1000000 -c
seenset has seen a b c d || true
ls
