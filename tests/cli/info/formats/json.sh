seenset new "a\"b" -n 10k -p 1/8
seenset add "a\"b" x
seenset info --json "a\"b"
