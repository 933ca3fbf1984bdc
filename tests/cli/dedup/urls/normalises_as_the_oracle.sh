# needs: urls
# Of the URLs whose normal form the oracle wrote, the first of each form, as it
# was; also on threads, under a secret, and with other lines between them.
golden=$SEENSET_TEST_GOLDEN
for name in urls urls-expected; do
    grep -v -e '^#' -e '^$' "$golden/$name.txt" >$name
done
grep -v '^#' "$golden/urls-differences.txt" | cut -f 2 >differ
# "form TAB line", without lines that need escapes and those that may differ
paste urls-expected urls | grep -v '\\' |
    awk -F '\t' 'NR == FNR { other[$1] = 1; next } !($2 in other)' differ - >all
cut -f 2 all >lines
# Each form itself comes after its URL, and is a repeat.
awk -F '\t' '{ print $2; if ($1 != "!") print $1 }' all >pairs
awk -F '\t' '$1 != "!" && !seen[$1]++ { print $2 }' all >wanted
others=$(grep -c '^!' all)
for options in --threads=1 --threads=4 "--keyed --threads=4" --window=90s; do
    # shellcheck disable=SC2086  # several options
    seenset dedup --normalise url $options -n 10k -p 1e-12 pairs >unique 2>err
    cmp unique wanted || echo "differs with $options"
    grep -q ": $others lines that are not URLs were left out; the first " err ||
        cat err
done
# Planted: without it, spellings are lines of their own.
seenset dedup --normalise off pairs | cmp -s - wanted && echo "the same"
[ "$(wc -l <wanted)" -gt 2000 ] && [ "$others" -gt 100 ] && echo enough
