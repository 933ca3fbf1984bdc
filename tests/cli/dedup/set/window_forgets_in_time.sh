# needs: clock
# A window by age forgets what is older than it, and nothing that is younger.
. "$SEENSET_TEST_CLOCK"
echo key | seenset dedup --set set --window 1h
pass 3500
echo key | seenset dedup --set set --window 1h
pass 3600
echo key | seenset dedup --set set --window 1h
