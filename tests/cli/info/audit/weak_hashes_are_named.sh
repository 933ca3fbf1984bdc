# needs: glibc
# URLs that differ in their numbers are too much alike for the polynomial.
seq 1 30000 | sed 's|.*|http://www.example.com/path/page-&.html|' > urls
for scheme in polynomial murmur3-128; do
    seenset new $scheme -n 30k --scheme $scheme
    seenset add --from urls $scheme
    seenset info $scheme | grep -cE 'not to be trusted|unevenly'
    seenset info --json $scheme | grep is_skewed
done
