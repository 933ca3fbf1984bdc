# needs: glibc
# A filter in the file of another system, where it has the same bits for the
# same keys; and otherwise a sentence that the keys are needed.
files=$SEENSET_TEST_ROOT/tests/vectors/foreign
cp "$files/guava.bloom" "$files/guava-32.bloom" "$files/flor.bloom" .
cp "$files/people.parquet" "$files/types.parquet" .
cp "$SEENSET_TEST_GOLDEN/v4-bloom-dcso.seenset" dcso.set
seenset new plain.set
seenset new --scheme guava-mitz-64 -m 1024b -k 4 guava.set
seenset new --scheme guava-mitz-64 -m 1000b -k 4 odd.set
seenset new --scheme dcso --layout counting -n 10 counts.set
gzip -kn flor.bloom
printf '\003\316\102\231\005\000\000\000\001\000\000\200\001' >wallet.bip37
for in in dcso.set guava.set odd.set counts.set plain.set flor.bloom \
    flor.bloom.gz guava.bloom guava-32.bloom types.parquet:text \
    people.parquet:email wallet.bip37 no.such; do
    for format in seenset dcso guava bip37; do
        echo "$in to $format"
        seenset convert --format $format $in out 2>&1
        status=$?
        [ $status = 0 ] || echo "status $status"
        [ ! -e out ] || seenset check --json out |
            grep -o -e '"format": "[a-z0-9]*"' -e '"scheme": *"[a-z0-9-]*"'
        [ $status = 0 ] && mv out "$in.$format"
        rm -f out
    done
done

# ---- the bits and answers are those of before, there and back ----

seq 0 3000 | sed 's/^/key /' >keys
for in in flor.bloom guava.bloom; do
    seenset has $in <keys >answers
    for out in "$in".*; do
        seenset has "$out" <keys | cmp - answers
    done
done
seenset convert --format dcso flor.bloom.seenset again
tail -c +49 again >bits
tail -c +49 flor.bloom | cmp -n 2400 - bits
seenset convert --format guava guava.bloom.seenset back && cmp back guava.bloom
seenset convert --format guava guava-32.bloom.seenset back
echo "status $?"
seenset convert --force --format guava guava-32.bloom.seenset back
cmp back guava-32.bloom
cmp flor.bloom flor.bloom.gz.dcso

# ---- wrong usage ----

try() {
    seenset convert "$@" 2>&1
    echo "status $?"
}
try --format parquet guava.bloom x
try guava.bloom x
try --format dcso guava.bloom
try --format dcso guava.bloom x y
