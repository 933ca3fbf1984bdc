# needs: speed
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
try info - -
try verify
try merge
try merge a
try plan 5
try plan -k 256
try new a --layout sealed
try new a --layout counting --on-full grow
try new a --counter-bits 8
try new a --layout counting --counter-bits 1
try new a --window 10x
try new a --window 5 -n 3
try new a --window-tables 3
try new a --scheme sha1
try new a -m 1MB --on-full grow
try dedup --secret-file s
try remove
try count
try intersect a b
try similarity a
try similarity a b c
try seal
try seal a -k 5
try dedup --normalise uri
try add a --strict
try info a --audit=0
try info a --audit --bits
try plan --plot=rate.gif
try plan --table -m 1MB
try plan --table --plot
