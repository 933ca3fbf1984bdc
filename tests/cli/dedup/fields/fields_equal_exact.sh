# By a field of CSV and a value of JSON, dedup prints what exact readers and an
# exact set print, byte for byte. At 1e-9 no false positive is expected: of 20,000
# records the chance of one is below 2e-5, of 10 million 1 %; the data are the
# same each time, so it is known that there is none.
#
#     fields_equal_exact.sh [N]     N records each (default 20,000)
count=${1:-$((20000 / SEENSET_TEST_STEP))}
exact=$SEENSET_TEST_ROOT/tests/cli/dedup/fields/exact.py
command -v python3 >/dev/null || exit 0

# compare FORMAT OPTION...
compare()
{
    format=$1
    shift
    python3 "$exact" make "$format" "$count" >in
    python3 "$exact" dedup "$format" <in >wanted
    for threads in 1 3; do
        seenset dedup -n "$count" -p 1e-9 --threads "$threads" "$@" \
            <in >got 2>said
        cmp wanted got || echo "$format differs with $threads threads"
        grep -q 'lines have no key; the first is line' said || cat said
    done
    # through a pipe, in pieces
    dd bs=7001 <in 2>/dev/null | seenset dedup -n "$count" -p 1e-9 "$@" \
        2>/dev/null | cmp - wanted || echo "$format differs through a pipe"
    # planted: an exact reader with a fault prints something else
    python3 "$exact" planted "$format" <in >wrong
    cmp -s wrong got &&
        echo "$format: a fault was not found"
}

: >all
compare csv --csv -f url >>all
if seenset dedup --from-format json -f .a </dev/null 2>/dev/null; then
    compare json --from-format json -f .user.id >>all
fi
cat all
[ ! -s all ]
