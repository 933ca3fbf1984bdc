seenset plan --json >bare
seenset plan --json -n 1M -p 1% | cmp - bare
seenset plan --json -p 0.01 | cmp - bare
seenset plan --json -n 1M | cmp - bare
seenset plan --json -n 1k -m 1kB | grep -c '"fp_rate": 0.0'
seenset plan -k 7
seenset plan --layout blocked -k 7
echo $?
