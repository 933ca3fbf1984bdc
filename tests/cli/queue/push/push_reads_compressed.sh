# needs: compressed
# Compressed lines are pushed as the lines that they are, from a pipe, too.
seq 100000 | sed 's/.*/http:\/\/example.com\/&/' >urls
for tool in gzip zstd xz; do
    $tool -c <urls | seenset queue push -n 1M $tool
    echo "$tool: status $?"
    seenset queue export $tool | cmp - urls
done

# Several members are one text; plain lines are not kept waiting.
{ gzip -c <urls && gzip -c <urls; } | seenset queue push -v gzip | cut -f 1 |
    sort | uniq -c | sed 's/^ *//'
mkfifo lines
seenset queue push -v one <lines >answers &
exec 3>lines
echo a >&3
until [ -s answers ]; do sleep 0.05; done
cat answers
exec 3>&-
wait

echo "what is wrong is said"
head -c 100000 urls | gzip -c >whole.gz
head -c 1000 whole.gz | seenset queue push cut >/dev/null
echo "status $?"
seenset queue export cut | cmp -n 1000 - urls && echo "lines before it are in"
seenset queue push -z plain <urls
echo "status $?"
seenset queue push -z --no-decompress plain 2>&1 </dev/null | head -n 1
printf '\037\213\010 is text\n' | seenset queue push --no-decompress -v text |
    cut -f 1
