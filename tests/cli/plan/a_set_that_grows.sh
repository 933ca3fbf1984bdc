# needs: speed
# What is planned of a set that grows is the set that new makes and add fills.
json() { tr -d ' ' | tr ',{' '\n\n'; }
grown() { seenset plan --json "$@" | grep '"grown"' | json; }
field() { sed -n "s/^\"$1\":\([^,}]*\).*/\1/p" | head -n 1; }
facts='layout table_count hash_count fp_rate on_full'
# A table that grows in place is as large as such tables are in the mean, and
# one that was opened has no pages to spare.
near() { # A B
    awk "BEGIN { exit !($1 < 1.12 * $2 && $2 < 1.12 * $1) }"
}
differs() { # INFO GROWN
    for fact in $facts; do
        [ "$(field $fact <"$1")" = "$(field $fact <"$2")" ] ||
            echo "$fact is $(field $fact <"$1"), planned $(field $fact <"$2")"
    done
    near "$(field size_bits <"$1")" "$(field size_bits <"$2")" ||
        echo "size_bits is $(field size_bits <"$1")," \
            "planned $(field size_bits <"$2")"
}
for layout in blocked bloom split_block; do
    for given in '1k 1%' '70k 1%' '300 1e-6' '1k 1e-9'; do
        n=${given% *} p=${given#* }
        rm -f set
        seenset new --layout $layout -n "$n" -p "$p" set
        seq 70000 | seenset add set
        seenset info --json set | json >really
        items=$(field added_items <really)
        [ "$n" = 70k ] && items=70000 # as many as -n, at least
        grown --layout $layout -n "$n" -p "$p" --grows-to $items >planned
        differs really planned
        echo "$layout $n $p: $(field table_count <planned) tables"
        # planted: another number of keys
        grown --layout $layout -n "$n" -p "$p" --grows-to 900k >other
        [ -n "$(differs really other)" ] || echo "no difference is found"
    done
done

# By default, of the set that new makes; not where it does not grow.
rm -f set
seenset new set
seenset info --json set | json >really
grown >planned
differs really planned
for options in "-m 1MB" "-k 8" "--layout bloom" "--layout counting" \
    "--scheme polynomial"; do
    # shellcheck disable=SC2086  # two words
    seenset plan --json $options | grep '"grown"'
done
# Sizes are of memory, which is not the same on each machine.
rough() { sed -E 's/[0-9]+\.[0-9]+( [kMG]B)?/x/g; s/[0-9]{3},[0-9,]{7}/x/g; s/ +/ /g'; }
seenset plan -n 1k --grows-to 10M | rough
seenset plan --layout bloom -n 10k --grows-to 1M | tail -n 3 | rough
seenset plan -n 1k --grows-to 1k | grep -e planned -e short -e 'as it grows'

# Step by step, in JSON too: the last one is the set.
seenset plan -n 1k -p 1e-9 --grows-to 1M | grep -A 4 'as it grows' | rough
for name in bits_per_key mean_bits_per_key most_bits_per_key; do
    seenset plan --json -n 1k --grows-to 10M | tail -n 3 | json | field $name
done | tr '\n' ' ' | awk '{ print ($1 > 15 && $1 < 20), ($2 > 15 && $2 < $3),
    ($3 < 21) }'
seenset plan --json -n 1k --grows-to 1M | grep -o '"added_items": [0-9]*'

# Every line of the table and of the sentences fits 80 columns.
for n in 1 999 123456789 12345678901 123456789012 9e15; do
    for options in "" "-p 1e-6" "--layout split_block" "-m 1GB" "-k 8"; do
        # shellcheck disable=SC2086  # two words
        seenset plan -n $n $options 2>/dev/null
        # shellcheck disable=SC2086  # two words
        [ -n "${options%-[mk]*}" ] && seenset plan $options --grows-to $n
    done
done 2>/dev/null | grep -v '^In whole numbers' | awk '{ if (length > most) most = length }
    END { print (most <= 80), (NR > 300) }'

for options in "-p 1e-12 --grows-to 10M" "--grows-to 10" "--grows-to 0" \
    "--layout sealed --grows-to 1G" "--layout counting --grows-to 1G" \
    "--scheme polynomial --grows-to 1G" "-m 1MB --grows-to 1G" \
    "-k 8 --grows-to 1G" "--grows-to 1G --table" "--grows-to 1G --plot"; do
    # shellcheck disable=SC2086  # several words
    seenset plan -n 1k $options 2>&1 | head -n 1
done
seenset plan -n 1k -p 1e-12 --grows-to 10M 2>/dev/null || echo "exit $?"
