seenset plan -n 1G -p 1%
seenset plan -n 1G -p 1e-4 | grep textbook
seenset plan -m 18MB -p 1%
seenset plan -m 18MB -p 1e-4 --layout bloom
