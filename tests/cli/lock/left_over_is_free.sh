set -e
touch seen.lock
seenset new seen -n 100
seenset add seen a
ls
