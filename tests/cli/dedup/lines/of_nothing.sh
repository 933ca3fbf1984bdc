seenset dedup </dev/null && seenset dedup -c </dev/null && seenset dedup -v </dev/null
