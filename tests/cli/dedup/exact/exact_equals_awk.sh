# At a rate of 0.3 every line, each once: the late ones last, both in order.
set -e
awk -v count=$((300000 / SEENSET_TEST_STEP)) 'BEGIN {
    srand(3); for (i = 0; i < count; i++) {
    n = int(rand() * 200000)
    print n % 997 == 0 ? "" : "http://example.com/" n } }' >in
awk '!seen[$0]++' in >wanted
sort wanted >sorted

# turns FILE: how often does a line come before the one that it follows in
# `wanted`, and how many are not there, or come again?
turns()
{
    awk 'NR == FNR { place[$0] = FNR; next }
        !($0 in place) || seen[$0]++ { wrong++ }
        place[$0] < last { turns++ }
        { last = place[$0] }
        END { print turns + 0, wrong + 0 }' wanted "$1"
}

for threads in 1 2 4; do
    seenset dedup --exact --threads $threads -n 100k -p 0.3 --on-full degrade \
        in >ours 2>/dev/null
    sort ours | cmp sorted -
    turns ours
done
# Far too small a set: nearly all lines are late.
seenset dedup --exact -n 100 --on-full degrade in 2>/dev/null >ours
sort ours | cmp sorted -
turns ours
# At the usual rate none is, and the order is that of the input.
seenset dedup --exact in | cmp wanted -

# The comparisons can fail: lines are missing without the option, and lines
# that are out of order are seen.
if seenset dedup -n 100k -p 0.3 --on-full degrade in 2>/dev/null | sort |
    cmp -s sorted -; then
    echo "a set that drops lines went unnoticed"
fi
(tail -n 1 wanted && sed '$d' wanted) >ours
turns ours
tac wanted | head -n 9 >ours
turns ours
(cat wanted && echo none && tail -n 1 wanted) >ours
turns ours | cut -d ' ' -f 2
