# What dedup --help and the manual say a set takes is what plan computes, in two
# digits.
set -e
two_digits()
{
    seenset plan --json -n 10M -p 1e-6 --grows-to "$1" |
        sed -n 's/.*"grown": .*//; s/.*{"added_items": '"$2"', "table_count": [0-9]*, "size_bits": \([0-9]*\),.*/\1/p' |
        awk '{ printf "%d MB\n", int($1 / 8e7 + 0.5) * 10 }'
}
planned=$(two_digits 100M 10000000)
grown=$(two_digits 100M 100000000)

# says TEXT: whether it has both
says()
{
    case $1 in
    *"$planned"*"$grown"* | *"$grown"*"$planned"*) echo "says so" ;;
    *) echo "does not say $planned and $grown" ;;
    esac
}
help=$(seenset dedup --help | tr -s ' \n' ' ')
echo "help $(says "$help")"
echo "the manual $(says "$(tr -s '\n' ' ' <"$SEENSET_TEST_ROOT/docs/man/seenset-dedup.1")")"
# Another figure is noticed.
echo "another $(says "$(echo "$help" | sed "s/$grown/660 MB/")")"
