seenset new no/such/folder/seen
echo $?
