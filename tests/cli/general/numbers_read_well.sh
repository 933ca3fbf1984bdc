# needs: speed
count()
{
    seenset plan --layout bloom --json -p 1e-3 -n "$1" |
        sed -n 's/.*"capacity_items": \([0-9]*\).*/\1/p'
}
bits()
{
    seenset plan --layout bloom --json -p 1e-3 -m "$1" |
        sed -n 's/.*"size_bits": \([0-9]*\).*/\1/p'
}
rate()
{
    seenset plan --layout bloom --json -n 1000 -p "$1" |
        sed -n 's/.*"fp_rate": \([^,]*\), "size.*/\1/p'
}
for n in 1 10000 5k 5K 1.5M 0.5k 10m 2G 1T 64Ki 1.5Ki 1Mi 2Gi 1Ti 1e9 2.5e3 \
    1e0 007 2_000_000_000 2,000,000,000 10_000 1,000 12,345.5k 1_000M 1,500e3; do
    echo "$n $(count $n)"
done
for m in 18MB 64MiB 4096 4096B 1kB 1KiB 9585058b 9585058bits 10Mbits 10Mb \
    1e3 1.5k 0.125kbits 1,500MB 4_096; do
    echo "$m $(bits $m)"
done
for p in 0.5 .25 1/8 50% 1.5/3; do
    echo "$p $(rate $p)"
done
for p in 1% 1/100 1e-2 0.01; do
    rate $p
done | sort -u | wc -l
# A window is a time, or a count; only a number alone leaves it open which, and
# is of keys, which is said.
for w in 15m 15M 90s 1.5h 7d 2w 30 1e3 500keys 500lines 10k 1kkeys 1,000keys; do
    seenset new --force set -p 1% --window $w 2>&1
    echo "$w: $(seenset info set | sed -n 's/^window *//p')"
done
