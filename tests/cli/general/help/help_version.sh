# needs: glibc
seenset --version
seenset dedup --version
