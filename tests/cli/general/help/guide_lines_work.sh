# needs: speed compressed
# Each line of `seenset help guide` is run, in the order of the guide.
printf '%s\n' a b a >lines
gzip -c lines >lines.gz
printf '%s\t%s\t%s\n' 1 GET a 2 GET a >table
printf '%s\n' id,url 1,http://example.com/ 2,http://example.com/ >log.csv
printf '%s\n' http://example.com/ HTTP://EXAMPLE.com:80/ >urls
seenset new one.set
seenset new two.set
seenset help guide >guide
longest=$(awk '{ if (length > most) most = length } END { print most }' guide)
[ "$longest" -le 80 ] || echo "a line of $longest letters"

# What comes before two spaces is the command. LEASE is what the line before it
# printed.
sed -n 's/^  \(seenset .*\)/\1/p' guide | sed 's/   *[^ ].*//; s/ *$//' |
    sed 's/\(< lines\) the .*/\1/' >commands
touch out
while read -r line; do
    lease=$(grep -oE '^[0-9]+' out | head -n 1)
    sh -c "$(echo "$line" | sed "s/LEASE\.\.\./$lease/")" >out.new 2>err
    status=$?
    echo "$status $line"
    [ $status -lt 2 ] || cat err
    mv out.new out
done <commands
