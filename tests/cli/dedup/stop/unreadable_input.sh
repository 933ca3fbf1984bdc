# What came before is printed, nothing after it, and nothing is remembered.
printf 'a\nb\n' >one
seenset dedup --set seen one missing one
echo $?
seenset dedup . one
echo $?
ls
