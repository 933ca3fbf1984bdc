printf 'a\nb' | seenset dedup
printf 'a\nb\nb' | seenset dedup
printf 'a\nb\0b' | seenset dedup -0 | tr '\0' '!'
