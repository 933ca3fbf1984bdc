# needs: speed
# A new queue's set is for the lines of the file that is pushed, if nothing else
# is asked for; and a queue that is there stays as it is.
set -e

# shape NAME: the tables of the queue's set, and room for how many millions
shape()
{
    seenset queue stat --json q |
        awk -F '[:,]' -v name="$1" '{ for (i = 1; i < NF; i++) {
            if ($i == "\"capacity\"") millions = $(i + 1) / 1e6
            if ($i == "\"table_count\"") tables = $(i + 1) }
        printf "%s: %d tables, %.1f million\n", name, tables, millions }'
}
seq 10000000 11499999 | sed 's:^:http\://example.com/:' >many

seenset queue push --durability none q <many
shape "a file"
seenset queue push --durability none q <many
seq 1000 >few
seenset queue push --durability none q <few
shape "again"
seenset queue stat --json q | grep -o '"pending":[0-9]*'

# made NAME ARG...: a new queue
made()
{
    name=$1
    shift
    rm -rf q
    seenset queue push --durability none "$@" q
    shape "$name"
}
cat many | made "a pipe"
made "a small file" <few
made "with -n" -n 3M <many
made "with data" --data <many
