# The field number -f of a line is its key; several are one key together, in any
# order; -d is another delimiter. Whole lines pass.
printf 'a\t1\tx\nb\t1\ty\na\t2\tx\n\t\t\n-\t\t\n' >tsv
echo "second:"
seenset dedup -f 2 tsv
echo "first and third:"
seenset dedup -f 1,3 tsv
echo "in the other order, repeats:"
seenset dedup --field=3,1 -v tsv
echo "pieces that are together the same:"
printf 'a\tbc\nab\tc\nab\tc\n' | seenset dedup -f 1,2
echo "delimiters:"
for delimiter in ';' '\x3b' '\x3B'; do
    tr '\t' ';' <tsv | seenset dedup -d "$delimiter" -f 2 | wc -l
done
tr '\t' '\\' <tsv | seenset dedup -d '\\' -f 2 | wc -l
tr '\t' '\\' <tsv | seenset dedup -d '\' -f 2 | wc -l
seenset dedup -d '\t' -f 2 tsv | wc -l
tr '\t' '\0' <tsv | seenset dedup -d '\0' -f 2 | wc -l
tr '\t' '\376' <tsv | seenset dedup -d '\xfe' -f 2 | wc -l
echo "lines that end with NUL:"
tr '\t\n' '\n\0' <tsv | seenset dedup -0 -d '\n' -f 2 | tr '\0\n' '\n\t'
echo "counts:"
seenset dedup -c -f 2 tsv
