# Sets of other sizes, rates and numbers of tables: the truth is within six of
# the errors that are printed.
seenset new a -n 40k --on-full degrade
seq 40000 | seenset add a
seenset new b -n 200k -p 1e-6 --on-full refuse
seq 20001 120000 | seenset add b
seenset new g -n 100 -p 1e-6
seq 10001 60000 | seenset add g
seenset new none -n 5k

# near A B FIGURE TRUTH
near()
{
    seenset diff --json "$1" "$2" | awk -v figure="\"$3\":" -v truth="$4" '
        $1 == figure { value = $2 + 0 }
        $1 == "\"" substr(figure, 2, length(figure) - 3) "_error\":" {
            error = $2 + 0 }
        END { off = value - truth
              if (off < 0) off = -off
              print (off <= 6 * error + 2) (error < 0.1 * (truth + 20000)) }'
}
near a b intersection_items 20000
near a b a_only_items 20000
near a b b_only_items 80000
near a b union_items 120000
near b a intersection_items 20000
near a g intersection_items 30000
near g a b_only_items 10000
near g b intersection_items 40000
near g g intersection_items 50000
near a none intersection_items 0
near a none a_only_items 40000
# The check sees a wrong figure.
near a b intersection_items 30000
seenset similarity a g | head -n 1 | cut -c 1-24
seenset diff a - <g | cut -c 1-24

seenset new bloom -n 40k --layout bloom
seenset new keyed -n 40k --keyed
seenset new counting -n 1k --layout counting
seenset new slides --window 24h --sliding
seq 10 | seenset seal sealed
for other in bloom keyed counting slides sealed; do
    seenset diff a $other
    echo "status $?"
done
seenset diff - - <a
seenset diff a
echo "status $?"
