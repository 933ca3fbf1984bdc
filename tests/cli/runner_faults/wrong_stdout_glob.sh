printf 'a\nb\n' | seenset dedup
