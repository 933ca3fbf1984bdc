# Records that no batch has room for, before, between and after short ones: the
# key is found wherever it is in them.
long()
{
    yes "$1" | head -c 5000000
}
{
    echo id,url,text
    echo 1,x,short
    printf '2,x,"'
    long "line, \"\"quoted\"\""
    printf '"\n3,y,"'
    long "line"
    printf '"\n"'
    long "before"
    printf '",y,"short"\n5,"'
    long "key"
    printf '",z\n6,"'
    long "key"
    printf '",z\n7,z,end\n'
} >csv
seenset dedup --csv -f url csv | cut -c 1-10 | sort | uniq -c | sed 's/^ *//'
seenset dedup --csv -f url <csv | cksum >one
dd bs=65537 <csv 2>/dev/null | seenset dedup --csv -f url --threads 3 |
    cksum >other
cmp one other
{
    printf '1\tx\n2\tx\t'
    yes long | tr '\n' ' ' | head -c 5000000
    printf '\n'
    yes long | tr '\n' ' ' | head -c 5000000
    printf '\ty\n3\ty\n'
} >tsv
seenset dedup -f 2 tsv | cut -c 1-10
seenset dedup -f 1,2 tsv | wc -c
seenset dedup --ignore-case -f 2 tsv | wc -c
