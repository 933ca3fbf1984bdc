seenset --version
seenset dedup --version
