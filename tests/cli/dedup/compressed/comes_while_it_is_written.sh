# needs: compressed
# A line comes as soon as its compressed bytes are there: nothing waits for
# a full piece.
mkfifo in
: >out
seenset dedup --threads 2 in >out &
exec 3>in
for line in one two one three; do
    echo $line | gzip -c >&3
    until [ "$(wc -l <out)" -ge 1 ]; do sleep 0.01; done
    [ $line = one ] || until grep -q $line out; do sleep 0.01; done
done
exec 3>&-
wait
cat out
