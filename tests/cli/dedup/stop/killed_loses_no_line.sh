# A leak check while another thread is being ended would complain of that.
export ASAN_OPTIONS=detect_leaks=0
# Killed at any moment and started again: no line is missing in what the runs
# printed together. (A kill may cut the last line of a file; it is whole in a
# later one.)
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    seq 50000 | seenset dedup --set seen -n 100k --save-every 5k >out$i &
    sleep 0.0$i
    kill -KILL $! 2>/dev/null
    wait $! 2>/dev/null
    [ ! -e seen ] || seenset verify seen >/dev/null || echo "not whole"
done
seq 50000 | seenset dedup --set seen -n 100k >out
seq 50000 >in
for name in out*; do perl -ne 'print if /\n/' $name; done | sort -u >ours
sort in | cmp - ours
# The last run has removed what the killed ones left.
rm out*
ls -A
