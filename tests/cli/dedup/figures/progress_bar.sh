# needs: clock
. "$SEENSET_TEST_CLOCK"
# Only on a terminal, only after a second, and gone at the end. The lines come
# once the terminal shows a bar.
script -qfec '(echo a; until grep -aqs "ne[w]," shown; do sleep 0.1; done; seq 2) |
    seenset dedup -c' shown >/dev/null
grep -aq 'new, .*/s' shown && echo "a bar on a terminal"
sh -c '(echo a; sleep 1.3; seq 2) | seenset dedup -c' >plain 2>&1
grep -q '/s' plain || echo "none in a file"
# The second does not pass.
stand 100
LD_PRELOAD=$SEENSET_TEST_CLOCK_LIBRARY script -qec \
    '(echo a; sleep 0.3; seq 2) | seenset dedup -c' /dev/null >quick
grep -aq '/s' quick || echo "none when quick"
tr -d '\r' <shown | sed 's/.*\[K//' | grep -aE '^(lines|new|repeated) '
