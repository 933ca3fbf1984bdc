printf 'b\na\nb\n\nc\n\na\nb\n' | seenset dedup -v
