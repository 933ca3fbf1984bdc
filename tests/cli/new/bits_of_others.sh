# The bits of http://example.com/ under clickhouse-bloom, 128 bytes, k = 5, as
# docs/format.md has them: 198 380 540 712 719.
{
    head -c 24 /dev/zero && printf '\100'
    head -c 22 /dev/zero && printf '\020'
    head -c 19 /dev/zero && printf '\020'
    head -c 21 /dev/zero && printf '\201'
    head -c 38 /dev/zero
} > filter
seenset new set --bits filter --scheme clickhouse-bloom -k 5
seenset has -v set http://example.com/ http://example.com
seenset info set | grep -E '^(added|bits set|size)'
seenset verify set
seenset new other --bits filter --scheme clickhouse-bloom -k 5 -m 1016b 2>&1
echo $?
seenset new other --bits nothing --layout bloom -k 5 2>&1
echo $?
