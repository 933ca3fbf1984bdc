# add takes the field of each line of --from or standard input, and `has` of the
# value finds it. A file that cannot be read to its end changes nothing.
seenset new s -n 1k
printf '1\ta\n2\tb c\n3\n' | seenset add s -f 2 2>&1
seenset has s a 'b c' 1 3
echo "CSV:"
printf 'n,url\n1,"x,y"\n2,"q""q"\n' >csv
seenset add s --csv -f url --from csv
seenset has s 'x,y' 'q"q' url
echo "several fields are netstrings:"
printf 'a\tbc\tx\n' | seenset add s -f 1,2
seenset has s '1:a,2:bc,' abc
echo "case:"
printf 'LINE\n' | seenset add s --ignore-case
seenset has s line LINE
seenset has s --ignore-case LINE Line
echo "an error changes nothing:"
printf 'newer\tx\ny\n' | seenset add s -f 2,1 --missing=error 2>&1
seenset has s newer '1:x,5:newer,' || echo none
echo "KEYs are no lines:"
seenset add s -f 1 a 2>&1 | head -n 1
seenset add s --csv a 2>&1 | head -n 1
