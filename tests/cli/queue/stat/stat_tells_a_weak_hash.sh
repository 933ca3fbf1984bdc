# A hash that is too weak for the URLs is named where the rates are shown.
seq 20000 | sed 's,^,http://a.example/,' >urls
for scheme in polynomial murmur3-128; do
    seenset queue push --layout bloom --scheme $scheme --on-full degrade \
        -n 20k -p 1% $scheme <urls 2>/dev/null
    echo "$scheme:"
    seenset queue stat $scheme | grep -E '^(layout|scheme|bits_spread) '
    seenset queue stat --json $scheme | grep -o '"is_skewed":[a-z]*'
    seenset info --format=prometheus $scheme | grep '^seenset_is_skewed'
done

# pages that differ in a number, in two million bits: only all of them show it
seq 0 59999 | sed 's,^,http://www.example.com/,;s,$,.html,' |
    seenset queue push -n 180k -p 0.7% --scheme polynomial pages
seenset queue stat pages | grep -E '^(scheme|bits_spread) '
