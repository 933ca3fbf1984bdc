try()
{
    seenset plan "$@" >out 2>err </dev/null
    echo "$? $(sed -n '1s/^seenset plan: //p' err)"
}
for n in '' 0 0.0k -1 +1 ' 1' 1.5 1.0001k x 5x 5kk 5k5 1..2 . nan inf 0x10 \
    18446744073709551616 18446744073709551615k 1e20 1e999999999999 '1 ' 1e \
    10kib 9007199254740993; do
    try -n "$n"
done
for m in 0 -4 18XB 4q 2305843009213693952 18mb 1126TiB 18446744073709551615; do
    try -m "$m"
done
for p in '' 0 1 -0.1 1.5 100% nan inf 0x.8 1/0 1/ 0/5 1e-400 5/4 1%% .1x; do
    try -p "$p"
done
