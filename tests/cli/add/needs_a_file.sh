seenset add missing a
echo $?
ls
