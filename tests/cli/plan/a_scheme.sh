# A plan of an index scheme is the set that new makes with the same options.
seenset plan --scheme polynomial --seeds 31,131,1313 --units 16 -n 1k
seenset plan --json --scheme clickhouse-tokenbf --seed 0x5eed -m 8192b -k 3 \
    -n 500 | sed -n '/scheme/,/unit/p'
field() { sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" | head -n 1; }
compare() {
    rm -f set
    seenset plan --json "$@" >planned
    seenset new set "$@"
    seenset info --json set >made
    for of in layout scheme size_bits hash_count capacity_items fp_rate seed; do
        [ "$(field $of <planned)" = "$(field $of <made)" ] ||
            echo "$*: $of is planned as $(field $of <planned), and made as" \
                "$(field $of <made)"
    done
    echo "$(field size_bits <planned) $(field hash_count <planned) $*"
}
compare --scheme murmur2a+fnv1a -n 3000
compare --scheme murmur2a+fnv1a -n 3000 -p 1/500 --seed 4294967295
compare --scheme murmur3-128 -n 3000 --seed 9
compare --scheme polynomial -n 3000
compare --scheme polynomial -n 3000 -p 1e-9
compare --scheme polynomial -n 3000 -p 1e-3 --seeds 31,131 --layout counting
compare --scheme polynomial -m 64Kibits -p 1e-3
compare --scheme md5-divmod -n 3000 -p 1e-3
compare --scheme enhanced-double -n 3000 -k 5 --seed 0xffffffffffffffff
compare --scheme clickhouse-bloom -n 32768 -p 0.025
compare --scheme clickhouse-bloom -n 3001 -p 0.23
compare --scheme clickhouse-bloom -n 3001 -p 1e-7 2>&1
compare --scheme clickhouse-bloom -n 3001 -p 1e-7 -k 15
compare --scheme clickhouse-tokenbf -n 3001 --seed 7
compare --layout bloom -k 7 -n 3000 --seed 5

# a curve is that of the size which the scheme has
seenset plan --scheme polynomial -n 1k --plot | grep 'bits per key'

refused() { seenset plan "$@" 2>&1 | head -n 1; }
refused --scheme polynomial -m 1000b
refused --scheme polynomial -k 8
refused --scheme polynomial --seeds 31,131 -k 3
refused --scheme polynomial --layout blocked
refused --scheme polynomial --table
refused --scheme md5-divmod --seed 3
refused --scheme murmur3-128 --seed 4294967296
refused --scheme clickhouse-bloom -k 16
refused --scheme murmur2a+fnv1a -n 1G -p 1e-6
refused --seeds 31
refused --scheme caller
