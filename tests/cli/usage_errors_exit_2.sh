try()
{
    seenset "$@" >out 2>err </dev/null
    echo "$? $(wc -c <out | tr -d ' ') $(head -n 1 err)"
}
try frob
try help frob
try dedup --frob
try dedup --threads 0
try dedup --threads 65
try new
try new a b
try new a --layout round
try new a --on-full explode
try add
try has
try info
try info a b
try verify
try merge
try merge a
try plan 5
try plan -k 256
