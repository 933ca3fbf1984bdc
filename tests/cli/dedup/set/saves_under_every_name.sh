# needs: glibc
# A name as long as a name can be: nothing is printed that cannot be saved.
long=$(printf '%255s' '' | tr ' ' n)
for cut in 240 243 244 249 250 251 254 255; do
    name=$(echo "$long" | cut -c 1-$cut)
    echo a | seenset dedup --set "$name" || echo "$cut: $?"
    echo a | seenset dedup --set "$name" || echo "$cut: $?"
    rm "$name"
done
ls -A
# It is locked for as long as a writer has it.
seenset new "$long"
mkfifo pipe
seenset add "$long" <pipe &
exec 3>pipe
until ls .seenset-*.lock >/dev/null 2>&1; do sleep 0.01; done
echo a | seenset dedup --set "$long"
echo $?
exec 3>&-
wait $!
rm pipe "$long"
echo a | seenset dedup --set "n$long"
echo $?
echo a | seenset dedup --keyed --set "$long"
echo $?
ls -A
