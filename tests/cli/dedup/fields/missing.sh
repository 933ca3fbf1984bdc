# A line without the field is kept, and printed however often it comes; or
# dropped; or an error, and then what came before is printed and saved.
printf 'a\tb\nx\nc\tb\nx\n\td\n' >tsv
for how in keep drop error; do
    echo "$how:"
    seenset dedup -f 2 --missing=$how --set s.$how tsv 2>&1
    echo "status $?"
    seenset has s.$how b d
done
echo "keep is the default:"
seenset dedup -f 2 tsv 2>&1 | cksum
seenset dedup -f 2 --missing keep tsv 2>&1 | cksum
echo "kept lines are not repeats:"
seenset dedup -v -f 2 tsv 2>/dev/null
echo "and are counted:"
seenset dedup -c -f 2 tsv 2>/dev/null
seenset dedup --stats -f 2 tsv 2>&1 >/dev/null | grep -e '^lines' -e '^without'
