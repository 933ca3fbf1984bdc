# needs: speed
# What is printed and cannot be written is an error, and is said once: of help
# and versions, too.
try()
{
    seenset "$@" >/dev/full 2>err </dev/null
    status=$?
    why="No space left on device"
    grep -q "$why" err || why="a write failed" # a text longer than a buffer
    [ $status = 2 ] && [ "$(cat err)" = \
        "seenset: standard output: $why; the output is not complete" ] ||
        echo "$*: $status, $(cat err)"
    count=$((count + 1))
}
count=0
try
try help
try --help
try --version
try version
try help queue pop
commands="$(seenset help | sed -n '/^  help/q; s/^  \([a-z]*\) .*/\1/p')"
subcommands="$(seenset queue --help |
    sed -n '/^$/n; s/^  \([a-z]*\)  *[a-z].*/queue \1/p' | grep -v seenset)"
for command in $commands; do
    try help $command
    try $command --help
    [ $command = queue ] || try $command --usage
    [ $command = queue ] || try $command --version
    [ $command = queue ] || try $command -V
done
echo "$subcommands" >list
while read -r queue subcommand; do
    try $queue $subcommand --help
    try $queue $subcommand -V
done <list
# and what they are for
seenset new set -n 10 --layout counting
seenset add set 1
seq 3 | seenset queue push crawl
for words in plan 'plan --json' 'info set' 'info set --json' 'verify set' \
    'similarity set set --json' 'queue stat crawl' 'queue stat --json crawl' \
    'queue verify crawl' 'queue repair crawl' 'queue pop crawl' 'count set 1' \
    'has set 1' 'dedup -c'; do
    case $words in
    similarity*) continue ;; # not of counting sets
    esac
    try $words
done
[ "$count" -gt 100 ] || echo "$count outputs only"
# A reader that went away needs no message.
seenset plan --help | head -c 1 >/dev/null
(trap '' PIPE && seenset plan --help 2>said | true)
cat said
