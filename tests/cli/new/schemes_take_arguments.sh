# Each is kept in the file: other commands need not be given it.
seenset new java -n 1000 --scheme polynomial --seeds 31,131,1313 --units 16
seenset new seeded -n 1000 --seed 0x5eed
seenset new click -n 1000 --scheme clickhouse-tokenbf --seed 7
seenset new size -n 1M -p 1% --scheme polynomial
for set in java seeded click; do
    printf 'hello\n\360\237\230\200\nhello\n' | seenset dedup --set $set
    seenset has -v $set hello world
    seenset info $set | grep -E '^(index|seed|bits spread)'
done
seenset info size | grep -E '^(layout|size|index|seeds)'
seenset new other -n 1000 --seed 3
seenset merge both seeded other 2>&1
echo $?
