# needs: compressed, speed
# What becomes ten thousand times as much is not held at once, and one long line
# of it is hashed, not kept. A window that is too large is refused.
yes | head -c 300000000 | zstd -qc >many
head -c 300000000 /dev/zero | zstd -qc >long
kib=200000 # but a sanitizer has to have more
sh -c "ulimit -v $kib; seenset --version || exit 1" >/dev/null 2>&1 ||
    kib=unlimited
for input in many long; do
    sh -c "ulimit -v $kib; seenset dedup -n 1k --threads 1 -c $input || exit 1"
done
head -c 300000000 /dev/zero | zstd -qc --long=31 | seenset dedup
echo $?
head -c 1000000 /dev/zero | xz -c --lzma2=preset=0,dict=256MiB |
    seenset dedup
echo $?
