# needs: compressed
# What becomes ten thousand times as much is not held at once, and one long line
# of it is hashed, not kept. A window that is too large is refused.
yes | head -c 300000000 | zstd -q19c >many
head -c 300000000 /dev/zero | zstd -qc >long
for input in many long; do
    # Address sanitizer reserves more than any limit.
    sh -c "ulimit -v 200000; seenset dedup -n 1k --threads 1 -c $input
        exit \$?" >counts 2>error || {
        grep -q sanitizer error ||
            seenset dedup -n 1k --threads 1 -c $input >counts
    }
    cat counts
done
head -c 300000000 /dev/zero | zstd -qc --long=31 | seenset dedup
echo $?
head -c 1000000 /dev/zero | xz -c --lzma2=preset=0,dict=256MiB |
    seenset dedup
echo $?
