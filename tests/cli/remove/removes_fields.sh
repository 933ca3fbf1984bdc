# remove takes the fields of lines out of a counting set.
seenset new s -n 1k --layout counting
printf '1\ta\n2\tb\n3\ta\n' >tsv
seenset add s -f 2 --from tsv
printf 'x\ta\ny\n' | seenset remove s -f 2 2>&1
echo "status $?"
seenset count s a b
printf 'key\nb\n' | seenset remove s --csv -f key
seenset count s a b
printf 'y\n' | seenset remove s -f 2 --missing=error 2>&1
echo "status $?"
