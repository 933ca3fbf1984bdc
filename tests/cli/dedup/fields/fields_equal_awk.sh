# By a field of lines, dedup prints what awk prints, byte for byte; lines without
# the field pass.
#
#     fields_equal_awk.sh [N]     N lines (default 50,000)
count=${1:-50000}
export LC_ALL=C

# Fields of all lengths around the widths of vectors, empty ones, missing ones,
# and bytes that are no UTF-8.
awk -v count="$count" 'BEGIN {
    srand(5)
    pad = sprintf("%150s", "")
    for (i = 0; i < count; i++) {
        key = int(rand() * count / 3)
        kind = int(rand() * 16)
        if (kind == 0)
            print "short"
        else if (kind == 1)
            print "\t"
        else if (kind == 2)
            printf "\t\t\t\t\n"
        else if (kind == 3)
            printf "%s\t\377\t%d\376\tz\n", substr(pad, 1, rand() * 150), key
        else if (kind < 7)
            printf "%s\t%d\t%s%d\n", substr(pad, 1, rand() * 150), i % 3,
                substr(pad, 1, rand() * 100), key % 100
        else
            printf "%d\t%d\thttp://host/%d\trest%d\n", i, key % 7, key, i
    }
}' >in

# compare LIST AWK: by the fields of LIST, and with awk by the expression AWK.
compare()
{
    awk -F '\t' "$2" in >wanted
    for threads in 1 3; do
        seenset dedup -n "$count" -p 1e-9 --threads "$threads" -f "$1" \
            in >got 2>said
        cmp wanted got || echo "-f $1 differs with $threads threads"
    done
}

{
    compare 3 'NF < 3 || !seen[$3]++'
    compare 1 '!seen[$1]++'
    compare 4,2 'NF < 4 || !seen[$4 "\t" $2]++'
    # planted: another field is another answer
    seenset dedup -p 1e-9 -f 2 in 2>/dev/null | cmp -s - got &&
        echo "a fault was not found"
    tr '\t' ';' <in >other
    awk -F ';' 'NF < 3 || !seen[$3]++' other >wanted
    seenset dedup -p 1e-9 -d ';' -f 3 other 2>/dev/null | cmp - wanted
} >all 2>&1
cat all
[ ! -s all ]
