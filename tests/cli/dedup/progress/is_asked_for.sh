# needs: compressed
# --progress where there is no terminal: a message in the end, at least; without
# it, and with --no-progress on a terminal, none.
printf 'a\nb\na\n' >in
seenset dedup --progress -c in 2>&1 | sed 's/new, .*/new, .../'
gzip -c in | seenset dedup --progress -c 2>&1 | grep -c '3 lines, 66.7 % new'
seenset dedup -c in
script -qec '(sleep 1.3; echo a) | seenset dedup --no-progress -c' /dev/null |
    grep -c '/s'
# A message in the middle has a line of its own. (The other lines come once the
# terminal shows progress.)
seenset new small -n 1k --on-full degrade
script -qfec '(echo a; until grep -aqs "ne[w]," shown; do sleep 0.1; done; seq 2000) |
    seenset dedup --set small -c' shown >/dev/null
tr '\r' '\n' <shown | grep -ac '^.\[Kseenset: small: past its capacity'
