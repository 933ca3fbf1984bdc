seenset plan --json -n 1000 -p 1/1000
