# The answer in prose: what new makes, and the sealed set beside it.
seenset plan -n 1M -p 1% | tail -n 6
seenset plan -n 1M -p 1e-6 | tail -n 5
seenset plan -m 1MB -p 1e-3 | tail -n 4
seenset plan -n 1 | grep short
# the size is that of the set which new makes
seenset new -n 1M -p 1% set
seenset info set | grep -o '1.451 MB'
seenset plan -n 1k -p 1e-3 --layout bloom | grep -c short
seenset plan --json -n 1k | grep -o '"memory_bytes": [0-9]*' | wc -l
