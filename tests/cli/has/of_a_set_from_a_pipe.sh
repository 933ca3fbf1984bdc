# A set from standard input; conflicts and damage are errors.
seenset new s -n 1k
seenset add s apple pear
seenset has - apple plum pear <s
echo "status $?"
printf 'fig\npear\n' >keys
seenset has - --from keys <s
seenset count - apple <s
echo "status $?"

seenset has - <s
echo "status $?"
seenset has - --from - <s
echo "status $?"
seenset add - fig <s
echo "status $?"
seenset has - fig </dev/null
echo "status $?"
head -c 1000 s | seenset has - fig
echo "status $?"
cat s s | seenset has - fig
echo "status $?"
printf 'fig\n' | seenset has - fig
echo "status $?"

# A file of that name is ./-
cp s ./-
seenset has ./- apple

# A set that is keyed needs its secret.
seenset new k --keyed
seenset add k apple
seenset has - apple <k
echo "status $?"
seenset has - --secret-file k.secret apple <k
seenset has - --secret-file k.secret apple <s
echo "status $?"
