# The answer in prose: what new makes, and the sealed set beside it,
# where that is smaller.
in_short() { seenset plan "$@" | sed -n '/^In short/,$p'; }
in_short -n 1M -p 1%
in_short -n 1M -p 1e-6
in_short -m 1MB -p 1e-3
in_short -n 1M -p 1e-3
in_short -n 1 | grep short
# the size is that of the set which new makes
seenset new -n 1M -p 1% set
seenset info set | grep -o '1.451 MB'
seenset plan -n 1k -p 1e-3 --layout bloom | grep -c short
seenset plan --json -n 1k | grep -o '"memory_bytes": [0-9]*' | wc -l
