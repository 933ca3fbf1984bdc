# Rates by bits per key and k: for the classic those of the textbooks,
# (1 - e^(-kn/m))^k, which the exact ones are near to for a million keys.
seenset plan --table --layout bloom >classic
awk '
    / k = / { for (i = 2; i <= NF; i++) if ($i ~ /^=?[0-9]+$/) { sub("=", "", $i)
                column[++columns] = $i }; next }
    $1 ~ /^[0-9]+$/ && NF == 8 {
        if ($1 == 1) block = columns - 7
        best = 0
        for (i = 1; i <= 7; i++) {
            k = column[block + i]
            star = sub(/\*$/, "", $(i + 1))
            wanted = (1 - exp(-k / $1)) ^ k
            cells++
            if ($(i + 1) < wanted * 0.994 || $(i + 1) > wanted * 1.006)
                print "m/n " $1 ", k " k ": " $(i + 1) " is not " wanted
            if (star) { marked[$1] = k; stars++ }
            if (!($1 in least) || wanted < least[$1]) {
                least[$1] = wanted; best_k[$1] = k }
        }
    }
    END { for (bits in best_k) if (marked[bits] != best_k[bits])
              print "m/n " bits ": " marked[bits] " is not the best"
          print cells " cells, " stars " stars" }' classic
# the row of 20 bits, k = 10: 0.0000889
grep '^  20' classic | tail -n 1
tail -n 1 classic
# with -p, its whole numbers
seenset plan --table --layout bloom -p 0.001 | tail -n 1
# both layouts; only one k; other numbers of keys
seenset plan --table | grep -c ': the rate by bits per key'
seenset plan --table -k 8 -n 10k | grep -e '^  10' -e rate
seenset plan --table -k 7 | sed -n '/^blocked/,$p'
seenset plan --table --layout split_block | grep '^  1[01]'
seenset plan --table --layout sealed
# as JSON: the same cells
seenset plan --table --json >json
grep -c '"fp_rate": ' json
grep '"bits_per_key": 20, "hash_count": 10' json | sed 's/\(0889[0-9]\)[0-9]*/\1/'
grep -c '"is_best": true' json
for options in "-m 1MB" "-k 0" "-n 1000T" "-p 2" "--layout round" "--plot"; do
    # shellcheck disable=SC2086  # two words
    seenset plan --table $options 2>&1 | head -n 1
done
seenset plan --table -n 1000T 2>/dev/null
echo $?
