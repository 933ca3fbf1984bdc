# needs: speed compressed
# Of how many different lines there are in files, dedup has an idea: the table
# after the first is for so many, and mostly none grows in place.
set -e

# plan NAME LEAST MOST ARG...: the second table's capacity, and how many tables
plan()
{
    name=$1 least=$2 most=$3
    shift 3
    rm -f set
    seenset dedup -n 1000 -p 1e-9 --set set "$@" >out
    seenset info -v set >info
    tables=$(awk '$1 == "tables" { print $2 }' info)
    items=$(awk '$1 == "table" && $2 == 2 { gsub(",", "", $5); print $5 }' info)
    if [ "$items" -ge "$least" ] && [ "$items" -le "$most" ]; then
        echo "$name: $tables tables, as expected"
    else
        echo "$name: $tables tables, for $items lines"
    fi
}

# Lines in a mixed order, the same in each run.
mix()
{
    LC_ALL=C sort -R --random-source=source
}
seq 100000 >source
seq 1000000 1199999 >different
plan different 199000 210000 different
awk '!seen[$0]++' different | cmp - out

# What standard input has left, and several files.
plan "standard input" 199000 210000 <different
(head -c 400000 >/dev/null; plan "rest of it" 149000 160000) <different
split -n l/7 different part.
plan "7 files" 199000 210000 part.??
plan "one of them twice" 170000 310000 part.?? part.aa
plan "all of them twice" 150000 420000 different different
seq 1000000 1199999 | tr '\n' '\0' >zeros
plan "-0" 199000 210000 -0 zeros

# Each line twice all over the file, or four times side by side.
for i in 1 2 3 4; do cat different; done | head -n 400000 | mix >mixed
plan mixed 140000 420000 mixed
sed p different | sed p >sorted
plan sorted 199000 215000 sorted

# A few lines, over and over: no table that nobody needs.
yes "$(seq 5000 6999)" | head -n 400000 >few
plan few 1000 9000 few

# Where nothing is known, the second table grows in place, as for 1,000.
unknown()
{
    name=$1
    shift
    rm -f set
    "$@" --set set >out
    seenset info -v set |
        awk -v name="$name" '$1 == "tables" { tables = $2 }
            $1 == "table" && $2 == 2 { gsub(",", "", $5); items = $5 }
            END { print name ": " tables " tables, " \
                (items == 199000 ? "planned" : "grown") }'
}
dedup="seenset dedup -n 1000 -p 1e-9"
from_pipe()
{
    cat different | $dedup "$@"
}
unknown pipe from_pipe
gzip -1 <different >different.gz
unknown compressed $dedup different.gz
unknown "its bytes" $dedup --no-decompress different.gz
unknown fields $dedup -f 1 different
mkfifo fifo
cat different >fifo &
unknown fifo $dedup fifo
wait

# Lines that are longer than a piece of the sample, and a small file.
awk 'BEGIN { for (i = 0; i < 3000; i++) {
    s = sprintf("%05d", i); while (length(s) < 1500) s = s s
    print (i % 40 ? s : s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s s) } }' \
    >long
unknown long $dedup long
seq 4000 >small
unknown small $dedup small

# -n that is enough, and other policies, are as ever.
for how in "-n 200000" "-n 1000 --on-full degrade" "-n 1000 --window 5000"; do
    set -- $how
    [ "$3" != --window ] || shift 2
    rm -f set
    seenset dedup -p 1e-9 "$@" --set set different >out 2>err
    echo "$how:" $(seenset info -v set | grep -E '^(capacity|tables)')
done
