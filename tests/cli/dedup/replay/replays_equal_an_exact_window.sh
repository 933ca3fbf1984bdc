# needs: yajl
# Old records by their own times, against the same window kept exactly by awk:
# spans of a quarter of the window, forgotten a window after their end. Late
# records count as of the latest time. In every format, with threads, sliding.
make_log()
{
    awk -v seed="$1" 'BEGIN {
        srand(seed)
        time = 1500000000
        for (i = 1; i <= 20000; i++) {
            gap = int(rand() * 1000)
            time += gap < 995 ? int(gap / 500) : 40 * (gap - 994)
            late = rand() < 0.1 ? int(rand() * 50) : 0
            print time - late, "k" i - int(rand() * rand() * 600)
        }
    }'
}

# exact WINDOW SLIDING: which lines are new, as "time key".
exact()
{
    awk -v window="$1" -v sliding="$2" '
    function is_live(span) {
        return span > 0 && now - started[span] < window + length_of_span
    }
    BEGIN { length_of_span = int((window - 1) / 4) + 1 }
    {
        now = $1 > now ? $1 : now
        if (newest == 0 || now - started[newest] >= length_of_span)
            started[++newest] = now
        if (!is_live(last[$2])) print
        if (sliding || !is_live(last[$2])) last[$2] = newest
    }'
}

to_json()
{
    awk '{ printf "{\"at\":{\"ts\":%s},\"key\":\"%s\"}\n", $1, $2 }'
}

to_csv()
{
    awk 'BEGIN { print "key,when" }
        { printf "\"%s\",\"%s.5\"\n", $2, $1 }'
}

for sliding in "" 1; do
    make_log 7 >log
    exact 200 "$sliding" <log >expected
    exact 201 "$sliding" <log >planted
    cmp -s expected planted && echo "the windows of $sliding do not differ"
    option=${sliding:+--sliding}
    for threads in 1 3; do
        seenset dedup -p 1e-9 --window 200s $option --threads $threads \
            -d ' ' --time-field 1 -f 2 log | cmp - expected
        to_json <log | seenset dedup -p 1e-9 --window 200s $option \
            --threads $threads --time-field .at.ts -f .key >found
        to_json <expected | cmp - found
        to_csv <log >csv
        seenset dedup -p 1e-9 --window 200s $option --threads $threads \
            --csv --time-field when -f key csv >found
        to_csv <expected | cmp - found
    done
    # with a file, in three parts, and a keyed set
    rm -f set set.*
    for part in 1,7000 7001,7002 '7003,$'; do
        sed -n "${part}p" log | seenset dedup -p 1e-9 --window 200s $option \
            --keyed --set set -d ' ' --time-field 1 -f 2
    done | cmp - expected
    wc -l <expected
done
