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
for n in 1 10000 5k 5K 1.5M 0.5k 10m 2G 1T 64Ki 1.5Ki 1MiB 2GiB 1Ti 1kB \
    1e9 2.5e3 1e0 007; do
    echo "$n $(count $n)"
done
for m in 18MB 64MiB 4096 4096B 1kB 1KiB 9585058b 9585058bits 10Mbits 10Mb \
    1e3 1.5k 0.125kb; do
    echo "$m $(bits $m)"
done
for p in 0.5 .25 1/8 50% 1.5/3; do
    echo "$p $(rate $p)"
done
for p in 1% 1/100 1e-2 0.01; do
    rate $p
done | sort -u | wc -l
