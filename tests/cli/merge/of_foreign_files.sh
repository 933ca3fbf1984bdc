# needs: glibc
# New files of DCSO and Guava, their union and what they have in common.
seq 0 700 >keys
for format in dcso guava; do
    for name in a b; do
        seenset new --format $format -n 1000 -p 1e-3 $name.$format
    done
    seq 0 400 | seenset add a.$format
    seq 300 700 | seenset add b.$format
    cp a.$format before
    seenset merge union.$format a.$format b.$format
    seenset has -v union.$format <keys
    cmp a.$format before
    seenset intersect both.$format a.$format b.$format
    seq 300 400 | seenset has -v both.$format
    seenset has both.$format <keys | wc -l
    seenset merge a.$format a.$format b.$format && cmp a.$format union.$format
    seenset check a.$format | grep -e ^format -e ^size -e distinct -e says
done
try() {
    seenset "$@" 2>&1
    echo "status $?"
}
try merge a.dcso b.dcso
try merge x a.dcso a.guava
seenset new --format dcso -n 1000 -p 1e-2 other.dcso
try merge x a.dcso other.dcso
seenset new s
try merge x a.dcso s
try merge x s a.dcso
try merge -p 1% x a.dcso b.dcso
try merge --strict x a.dcso b.dcso
try merge --secret-file s x a.dcso b.dcso
try merge - a.dcso b.dcso
gzip -kn b.dcso
try merge x b.dcso.gz
cp "$SEENSET_TEST_ROOT/tests/vectors/foreign/people.parquet" .
try merge x people.parquet
try new --format dcso a.dcso
try new --format parquet x
try new --format dcso -k 3 x
try new --format guava --keyed x
try new --format guava --window 1h x
try new --format guava -n 1T -p 1e-9 x
ls
