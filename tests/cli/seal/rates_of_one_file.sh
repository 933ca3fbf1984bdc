# Rates that make sets of one size, and the message that names them.
seq 1000 >keys
size() { seenset info --json "$1" | grep -o '"size_bits": [0-9]*'; }
seenset seal a -p 0.001 keys
seenset seal b -p 2e-5 keys
seenset seal c -p 0.00395 keys
size a && size b && size c
seenset seal d -p 0.01 keys
seenset seal e -p 0.5 keys 2>/dev/null
size d && size e
seenset seal f keys
seenset seal g -p 1e-6 keys
