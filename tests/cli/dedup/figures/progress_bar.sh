# Only on a terminal, only after a second, and gone at the end.
slow='(echo a; sleep 1.3; echo b; sleep 0.2; echo c) | seenset dedup -c'
script -qec "$slow" /dev/null >terminal
grep -q '/s' terminal && echo "a bar on a terminal"
sh -c "$slow" >plain 2>&1
grep -q '/s' plain || echo "none in a file"
script -qec 'echo a | seenset dedup -c' /dev/null >quick
grep -q '/s' quick || echo "none when quick"
tr -d '\r' <terminal | tail -n 3 | sed 's/.*\[K//'
