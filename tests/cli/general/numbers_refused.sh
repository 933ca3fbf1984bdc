# needs: speed
try()
{
    seenset plan "$@" >out 2>err </dev/null
    echo "$? $(sed -n '1s/^seenset plan: //p' err)"
}
for n in '' 0 0.0k -1 +1 ' 1' 1.5 1.0001k x 5x 5kk 5k5 1..2 . nan inf 0x10 \
    18446744073709551616 18446744073709551615k 1e20 1e999999999999 '1 ' 1e \
    10kib 9007199254740993 2B 2b 2MB 1MiB 2bn 1,5 1__0 1_0 1,000_000 1_000, \
    ,000 _1 0,001 1000,000 1,0000 1.5,000 1,000.5 0X1F NaN INF 1e309 1P 5%; do
    try -n "$n"
done
for m in 0 -4 18XB 4q 2305843009213693952 18mb 1126TiB 18446744073709551615 64kb 1,5MB 5gb; do
    try -m "$m"
done
for p in '' 0 1 -0.1 1.5 100% nan inf 0x.8 1/0 1/ 0/5 1e-400 5/4 1%% .1x 0,01 1:100 1%/2 ' 1%' +1% -1%; do
    try -p "$p"
done
window()
{
    seenset new set --window "$1" >out 2>err </dev/null
    echo "$? $(sed -n '1s/^seenset new: //p' err)"
}
for w in '' 0 0s -1 +1 ' 30' 30min 1h30m 30S 24H 2W 10ms 10Ms 30line 30keyss lines 1.5s 0.5 \
    1,5h 30B 9007199254740993 9007199254740993s 99999999999999999999w 0x1e; do
    window "$w"
done
for time in '' ' 5' +5 -5 0x10 nan inf 1e10 5x 1e400; do
    seenset queue pop missing --lease "$time" >out 2>err
    echo "$? $(sed -n '1s/^seenset queue pop: //p' err)"
done
