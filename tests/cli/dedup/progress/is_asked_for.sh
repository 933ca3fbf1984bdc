# --progress where there is no terminal: a message in the end, at least; without
# it, and with --no-progress on a terminal, none.
printf 'a\nb\na\n' >in
seenset dedup --progress -c in 2>&1 | sed 's/new, .*/new, .../'
gzip -c in | seenset dedup --progress -c 2>&1 | grep -c '3 lines, 66.7 % new'
seenset dedup -c in
script -qec '(sleep 1.3; echo a) | seenset dedup --no-progress -c' /dev/null |
    grep -c '/s'
# A message in the middle has a line of its own.
seenset new small -n 1k --on-full degrade
script -qec '(echo a; sleep 1.3; seq 2000) | seenset dedup --set small -c' \
    /dev/null | tr '\r' '\n' | grep -c '^.\[Kseenset: small: past its capacity'
