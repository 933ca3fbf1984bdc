# A quote that is never closed: what came before is as ever, all from the start
# of its record on is printed as it is, and the command fails, with the line.
# The set is not saved, so that the next run prints the same again.
printf 'id,url\n1,a\n2,a\n3,"b\n4,c\n5,c\n' >csv
seenset dedup --csv -f url --set s csv 2>&1
echo "status $?"
[ ! -e s ] && echo "no set"
echo "dropping the others:"
seenset dedup --csv -f url --missing=drop csv 2>/dev/null
echo "a newline in a quote counts as a line:"
printf 'id,url\n"1\n1",a\n3,"' | seenset dedup --csv -f url 2>&1
echo "the header:"
printf '"id\n1,a\n' | seenset dedup --csv -f id 2>&1
echo "other commands:"
seenset new s -n 10
seenset add s --csv -f url --from csv 2>&1
seenset has s a || echo "nothing was added"
seenset seal sealed --csv -f url csv 2>&1
[ ! -e sealed ] && echo "no set"
