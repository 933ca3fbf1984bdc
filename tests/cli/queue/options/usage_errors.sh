# What queue is asked for wrongly: exit status 2, one line, nothing printed.
try()
{
    seenset queue "$@" >out 2>err </dev/null
    echo "$? $(wc -c <out | tr -d ' ') $(head -n 1 err)"
}
try frob
try push
try push a b
try push a -n 0
try push a -p 2
try push a --on-full explode
try push a --normalise upper
try push a --durability always
try pop
try pop missing
try pop a --lease soon
try pop a --lease 5s
try nack a --delay 1e10
try nack a --delay ''
try ack missing 1
try stat
try stat missing
try verify a b
try verify missing
try repair missing
seenset queue --help | head -n 1
seenset queue '-?' | tail -n 1
ls
