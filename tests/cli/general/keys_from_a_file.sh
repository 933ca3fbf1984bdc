# --from FILE: keys are its lines, and -: those of standard input.
seq 5 >five
seq 4 9 >more
seenset new set -n 100 -p 1e-6
seenset add set --from five
seenset has set --from more
seenset has -v --from=more set | wc -l
seq 7 8 | seenset add set --from -
seenset has -- set five 7
printf 'a b\0c\nd\0' >nul
seenset add -0 set --from nul
seenset has set 'a b' 'c
d'
seenset new counting -n 100 --layout counting
seenset add counting --from five
seenset add counting --from five
seenset remove --from more counting
echo $?
seenset count --from five counting
seenset seal sealed --from five
seenset seal same five
cmp sealed same
seenset add set --from missing
echo $?
seenset add set --from five 6
echo $?
# A key that is the name of a file is a key, and that is said, once.
seenset add set five more
seenset has set five nul
seenset has -- set five more
echo 3 | seenset has set -
echo $?
