# With -f 1 and a delimiter that no line has, whole lines are the keys: that is
# said, once, and changes nothing else. Where one line has it, where it is one
# line only, or where the key is not the first field, nothing is said of it.
printf '1,2\n1,3\n' >commas
printf '1\t2\n1\t3\n4\n' >tabs
printf '1;2\n1;3\n' >semicolons
seenset dedup -f 1 commas
seenset dedup -f 1 -d ';' --ignore-case commas
seenset dedup -f 1 -d ',' commas
seenset dedup -f 1 tabs
seenset dedup -f 1 commas tabs
head -n 1 commas | seenset dedup -f 1
printf 'key\na\na\n' | seenset dedup --csv -f key
seenset new s -n 1k
seenset add s -f 1 --from semicolons
seenset has s -f 1 -d ';' --from semicolons
