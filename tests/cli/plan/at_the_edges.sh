seenset plan -n 1G -m 1kB | grep -e expected -e floor
seenset plan -n 1 -p 0.999999 --layout bloom | grep 'size'
seenset plan -n 1G -p 1e-15
echo $?
seenset plan -n 9007199254740992 -p 1e-2
echo $?
