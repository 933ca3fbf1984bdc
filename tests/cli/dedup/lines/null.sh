printf 'a\nb\0a\nb\0c\0\0\0' | seenset dedup -0 | od -An -c
