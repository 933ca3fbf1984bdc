seenset new seen -n 100
seq 20000 | seenset add seen
seq 20000 | seenset has -v seen
echo $?
seq 20001 120000 | seenset has seen | wc -l | awk '{ print $1 < 1100 }'
# the second table's bytes are of memory, which is not the same everywhere
seenset info seen | grep -e table -e layout | sed '/table 2/s/, [^,]* kB$//'
seenset info --json seen | grep -o '"layout":"[a-z]*"'
seenset info -v seen | grep -c 'table '
seq 20000 | seenset dedup -n 10 -c
seenset new other -n 5k
seenset add other elsewhere
seenset merge both seen other
seenset has both elsewhere 20000
seenset verify both | cut -d ' ' -f 1,2
