printf 'b\na\nb\n\nc\n\na\nb' | seenset dedup -c
