# The units of time, read and written.
try()
{
    rm -f set
    seenset new set -n 1k --window "$1" 2>&1 | head -n 1
    [ ! -e set ] || seenset info set | grep 'window'
}
for window in 1s 59s 60s 90m 0.5h 36h 3d 40d 60d 104249991374d 1e3s 5x 5ms 0s s -1s \
    999999999999999999999d 300000000000000d 1.5s; do
    try $window
done
seenset new set --window 24h -n 1k --on-full degrade 2>&1 | head -n 1
seenset new set --window-tables 1 --window 5 2>&1 | head -n 1
seenset new set --scheme md5-divmod 2>&1 | head -n 1
seenset new set --scheme md5-divmod --on-full refuse 2>&1 | head -n 1
seenset new set --scheme md5-divmod --on-full degrade --layout blocked 2>&1 |
    head -n 1
seenset new set --scheme md5-divmod --on-full degrade --layout bloom --keyed \
    2>&1 | head -n 1
seenset new day --window 24h -n 1k
echo a | seenset dedup --set day --window 23h
echo $?
echo a | seenset dedup --set day --window 5
echo $?
echo a | seenset dedup --set day -n 5 --window 5 2>&1 | head -n 1
echo a | seenset dedup --set day
