# Killed at any moment, there is one whole set with its secret beside it, and
# the same command ends what was begun.
seenset new a --keyed
seenset add a apple
bad=0
from=a to=b
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    seenset rename $from $to &
    pid=$!
    [ $((round % 4)) -eq 0 ] || sleep 0.00$((round % 4))
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    set_file=$from
    [ -e $to ] && set_file=$to
    [ -e $from ] && [ -e $to ] && bad=$((bad + 1))
    [ "$(seenset has $set_file apple)" = apple ] || bad=$((bad + 1))
    [ -e $to ] && [ ! -e $from.secret ] || seenset rename $from $to ||
        bad=$((bad + 1))
    [ "$(seenset has $to apple)" = apple ] && [ ! -e $from.secret ] ||
        bad=$((bad + 1))
    swap=$from from=$to to=$swap
done 2>/dev/null
echo "$bad bad"
