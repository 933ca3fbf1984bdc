# The header of each file says where its fields are. It is printed once, whatever
# else is, unless it is another one; and it is not a key.
printf 'url,id\nurl,1\na,2\na,3\n' >a
printf 'url,id\na,4\nb,5\n' >b
printf 'id,url\n6,b\n7,c\n' >c
: >empty
printf 'url,id\n' >only
echo "all:"
seenset dedup --csv -f url empty a b only c
echo "repeats:"
seenset dedup --csv -f url -v a b c
echo "one thread:"
seenset dedup --csv -f url --threads 1 a b c | cksum
seenset dedup --csv -f url --threads 4 a b c | cksum
echo "counts:"
seenset dedup --csv -f url -c a b c
echo "with a set, twice:"
seenset dedup --csv -f url --set s a
seenset dedup --csv -f url --set s a b
