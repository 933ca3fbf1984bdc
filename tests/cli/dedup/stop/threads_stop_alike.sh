# An error in the middle ends all threads, and at the same line, also when one
# of them waits for input that does not come.
seq 300000 >in
for threads in 1 2 4; do
    rm -f seen
    seenset new seen -n 100000 -p 1e-9 --on-full refuse
    seenset dedup --threads $threads --set seen in missing >out
    echo "$? $(tail -n 1 out) $(wc -l <out)"
    rm -f seen
    seenset dedup --threads $threads --set seen in missing in | tail -n 1
    [ -e seen ] && echo saved
done
mkfifo slow
for threads in 2 4; do
    rm -f seen
    seenset new seen -n 2 -p 1e-9 --on-full refuse
    (exec >slow && seq 3 && exec sleep 600) &
    timeout 250 seenset dedup --threads $threads --set seen <slow
    echo $?
    kill $!
done
