# needs: clock
# The same lines one after the other, while the clock goes on, and at once.
. "$SEENSET_TEST_CLOCK"
time=1700000000
n=0
for gap in 0 100 200 300 350 1 700 20 899 300 800 50 5 905 400 990; do
    pass $gap
    time=$((time + gap))
    n=$((n + 1))
    echo "$time k$((n % 2))" >>log
    echo "k$((n % 2))" | seenset dedup --window 1000s --set set >>live
done
seenset dedup --window 1000s -d ' ' --time-field 1 -f 2 log |
    cut -d ' ' -f 2 | cmp - live
cat live
