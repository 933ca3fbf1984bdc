# needs: clock
. "$SEENSET_TEST_CLOCK"
# K every 10 minutes for 10 hours: in a window of an hour it is forgotten an
# hour to an hour and a quarter after it was new, in a sliding one never.
for options in "--window 1h" "--window 1h --sliding"; do
    rm -f set
    times=0
    while [ $times -lt 60 ]; do
        echo K | seenset dedup --set set $options
        pass 600
        times=$((times + 1))
    done >printed
    wc -l <printed
done
seenset info set | grep -E 'window|again'
seenset info --json set | grep sliding
echo K | seenset dedup --set set
pass 4500
echo K | seenset dedup --set set
# a clock that was a year ahead once stops nothing, and loses nothing
rm -f set
set_wall 31536000
seq 1000 | seenset dedup --set set --window 1h -n 1k -c
set_wall 0
for hour in 2 4 6 8; do
    seq "${hour}000" "${hour}999" | seenset dedup --set set -c | grep new
    pass 7200
done
# what is asked for must be a window, and one that slides
echo K | seenset dedup --sliding 2>&1 | head -n 1
seenset new --sliding other 2>&1 | head -n 1
echo K | seenset dedup --set set --window 1h --sliding
seenset new --on-full rotate --sliding -n 100 other
seenset info other | grep again
