set -e
seenset new seen -n 1k -p 1e-6
printf 'a\n\nlast' | seenset add seen
printf 'x\ny\0z' | seenset add -0 seen
printf '\nlast\nb\n' | seenset has seen
printf 'x\ny\0w\0z' | seenset has -0 seen | tr '\0\n' '!|'
