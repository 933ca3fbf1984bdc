# What sets are to be like that are merged in the end, and that it holds.
seenset plan --union 20 -n 2M
echo
seenset plan --union 100 -n 1k -p 0.001 --layout bloom
seenset plan --union 4 -n 20k --json
for wrong in "-m 1MB" "-k 8" "--layout sealed" "--layout counting" \
    "--scheme clickhouse-bloom" "--grows-to 2M" "--table"; do
    seenset plan --union 2 $wrong 2>wrong && echo "$wrong was taken"
    head -n 1 wrong >&2
done

# four sets of either kind, of 20,000 keys each
for i in 1 2 3 4; do
    seenset new grows$i.set -n 20k -p 0.0025
    seenset new fixed$i.set -n 80k -p 0.01 --on-full degrade
    seenset new other$i.set -n 20k -p 0.01
    for kind in grows fixed other; do
        seq ${i}000000 ${i}019999 | seenset add $kind$i.set >/dev/null
    done
done
for kind in grows fixed other; do
    seenset merge --strict -p 0.01 $kind.set ${kind}[1-4].set 2>/dev/null &&
        echo "$kind: kept"
done
seenset plan --union 0 2>&1 | head -n 1 >&2
exit 0
