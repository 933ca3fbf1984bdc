# Of a file it is known how much is left. The reader behind the pipe sleeps
# until a bar is due, then takes the rest; the file is more than pipes hold.
seq 700000 >lines
script -qec 'seenset dedup lines | { sleep 1.4; tail -n 1; }' /dev/null >bar
grep -ao '\[=* *\] *[0-9]* %  [0-9.]* [kM]B of 4.789 MB' bar | head -n 1 |
    sed 's/=* *\]/...]/; s/[0-9]* %  [0-9.]* [kM]B/some/'
tail -n 1 bar | tr -d '\r' | sed 's/.*\[K//'
