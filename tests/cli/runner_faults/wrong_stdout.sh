printf 'a\na\n' | seenset dedup
