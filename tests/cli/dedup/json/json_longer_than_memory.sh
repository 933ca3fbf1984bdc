# needs: yajl
# A line of JSON that no batch has room for.
{
    echo '{"id":1}'
    printf '{"text":"'
    yes long | tr '\n' ' ' | head -c 5000000
    printf '","id":2}\n'
    echo '{"id":2}'
    printf '{"text":"'
    yes long | tr '\n' ' ' | head -c 5000000
    printf '","id":1}\n'
} >json
seenset dedup --from-format json -f .id json | cut -c 1-20
