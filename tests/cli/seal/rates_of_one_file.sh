# Rates that make sets of one size: from one power of 1/2 to the next, and from
# 1/16 on; then a message names it.
seq 1000 >keys
size() { seenset info --json "$1" | grep -o '"size_bits": [0-9]*'; }
seenset seal a -p 0.001 keys
seenset seal b -p 0.00098 keys
seenset seal c -p 0.00097 keys
size a && size b && size c
seenset seal d -p 0.01 keys
seenset seal e keys
size d && size e
seenset seal f -p 1/16 keys
seenset seal g -p 0.1 keys
seenset seal h -p 0.5 keys
size f && size g && size h
