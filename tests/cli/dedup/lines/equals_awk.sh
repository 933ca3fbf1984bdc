# A million lines, half of them repeats, some empty.
set -e
awk -v count=$((1000000 / SEENSET_TEST_STEP)) 'BEGIN {
    srand(2); for (i = 0; i < count; i++) {
    n = int(rand() * 700000)
    print n % 997 == 0 ? "" : "http://example.com/" n } }' >in
awk '!seen[$0]++' in >exact
seenset dedup -n 1M -p 1e-9 in >ours
cmp exact ours
awk 'seen[$0]++' in >exact
seenset dedup -v -n 1M -p 1e-9 in >ours
cmp exact ours
# The comparison can fail: a set that is far too small must not pass it.
if seenset dedup -n 10 -p 0.5 in 2>/dev/null | cmp -s - exact; then
    echo "a ruined set went unnoticed"
    exit 1
fi
