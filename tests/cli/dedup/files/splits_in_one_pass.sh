# New lines here and repeats there: together the input, and as two runs print.
seq 60000 | awk '{ print $1 % 7919 }' >in
seenset dedup in >new
seenset dedup -v in >again
for threads in 1 4; do
    seenset dedup --threads $threads --repeats-to again.out in >new.out
    cmp new new.out
    cmp again again.out
    seenset dedup --threads $threads -o new.out --repeats-to again.out in
    cmp new new.out
    cmp again again.out
done
seenset dedup -o - --repeats-to /dev/stdout in | cat | wc -l
# A line longer than memory goes to both as well.
{ head -c 9000000 /dev/zero | tr '\0' x && echo && echo y; } >long
cat long long | seenset dedup -o new.out --repeats-to again.out
cmp long new.out
cmp long again.out
ls -A
