# A set that is built once: its size from n and p, no other way.
seenset plan -n 1G -p 1% --layout sealed
seenset plan -m 18MB -p 1% --layout sealed || echo "exit $?"
