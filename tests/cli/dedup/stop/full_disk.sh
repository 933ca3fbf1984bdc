# needs: glibc
seq 100000 | seenset dedup --set seen >/dev/full
echo $?
seq 10 | seenset dedup -c --set seen >/dev/full
echo $?
seq 10 | seenset dedup >&-
echo $?
ls
