# needs: compressed
# The same lines, in one piece and in several, from a file and from a pipe.
lines=$((40000 / SEENSET_TEST_STEP))
seq $lines >text
seq $((lines / 2)) $((lines * 3 / 4)) >>text
seenset dedup text >wanted
head -c $((lines * 5 / 2)) text >first
tail -c +$((lines * 5 / 2 + 1)) text >second
for tool in 'gzip -c' 'gzip -1c' 'gzip -9c' 'zstd -qc' 'zstd -q19c' \
    'zstd -qc --no-check' 'zstd -qc --long=27' 'xz -c' 'xz -0c' \
    'xz -c --check=none' 'xz -c -T2 --block-size=20kB'; do
    $tool text >one
    { $tool first && $tool second; } >two
    for try in 'dedup one' 'dedup -z one' 'dedup two' 'dedup --threads 1 two'; do
        # shellcheck disable=SC2086  # words are meant
        seenset $try | cmp - wanted || echo "$tool: $try"
    done
    cat two | seenset dedup | cmp - wanted || echo "$tool: from a pipe"
    seenset dedup one second one >three
    cmp three wanted || echo "$tool: between others"
done
# Half of a magic is not a magic, and comes through.
printf '\037\213' | seenset dedup | od -An -tx1
# What compresses to nothing has no lines.
: | gzip -c | seenset dedup -c
: | zstd -qc | seenset dedup -c
: | xz -c | seenset dedup -c
