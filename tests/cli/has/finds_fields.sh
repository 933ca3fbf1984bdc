# has prints whole lines whose field was seen, or was not; a line without the
# field was not. The header of CSV is printed with either.
seenset new s -n 1k
seenset add s a c
printf '1\ta\n2\tb\n3\n4\tc\n' >tsv
echo "seen:"
seenset has s -f 2 --from tsv
echo "unseen:"
seenset has s -f 2 -v --from tsv 2>&1
echo "unseen, without those that have no field:"
seenset has s -f 2 -v --missing=drop --from tsv 2>&1
echo "at once:"
seenset has s -q -f 2 --from tsv && echo some
printf '3\n' | seenset has s -q -f 2 || echo none
printf '3\n' | seenset has s -q -v -f 2 2>/dev/null && echo some
echo "CSV:"
printf 'n,key\n1,"a"\n2,"b\nb"\n' >csv
seenset has s --csv -f key --from csv
seenset has s --csv -f key -v --from csv
echo "an error:"
seenset has s -f 2 --missing=error --from tsv 2>&1
echo "status $?"
