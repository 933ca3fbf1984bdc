# An empty set that is filled from a file gets one table for all that comes
# after its first; one that has keys already, or a pipe, does not.
set -e
seq 1000000 1199999 >lines
shape()
{
    echo "$1:" $(seenset info set | sed -n 's/^layout.*key\(,.*\)*/one kind\1/p')
    if seenset has -v set <lines; then echo "lines were lost"; fi
    rm set
}
seenset new set -n 1000 -p 1e-6
seenset add set --from lines
shape "a file"
seenset new set -n 1000 -p 1e-6
seenset add set <lines
shape "standard input"
seenset new set -n 1000 -p 1e-6
seenset add set one
seenset add set --from lines
shape "a set with a key"
seenset new set -n 1000 -p 1e-6
seq 1000000 1199999 | seenset add set
shape "a pipe"
seenset new set -n 1000 -p 1e-6
seenset add set -f 1 --from lines
shape "fields"
