printf 'b\na\nb\n\nc\n\na\nc\n' | seenset dedup
