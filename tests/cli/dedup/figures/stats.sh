printf 'a\na\nb\n' | seenset dedup --stats -n 1M -p 1%
