seq 10000 | seenset seal seen -p 1/65536
seq 10000 | seenset has -v seen
echo $?
seq 10001 110000 | seenset has seen | wc -l | awk '{ print $1 < 20 }'
seenset info seen | grep -E 'layout|full|capacity'
seenset verify seen | cut -d , -f 1
seenset add seen x
echo $?
seq 5 | seenset seal seen
echo $?
printf 'a b\0\0a b\0' >keys
seenset seal -0 --force -k 3 seen keys
printf 'a b\0\0c\0' | seenset has -0 seen | tr '\0' '.'
echo
seq 3000 >lines
seenset seal --keyed -p 1e-9 keyed lines lines
seenset info keyed | grep added
seq 2990 3010 | seenset has keyed | wc -l
seq 5 | seenset seal none -p 1e-12
echo $?
seenset seal none missing
echo $?
seenset seal empty </dev/null
seenset has empty x
echo $?
ls
