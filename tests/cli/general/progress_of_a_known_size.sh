# Of a file it is known how much is left. The reader behind the pipe sleeps
# until a bar is due, then takes the rest; the file is more than pipes hold.
seq 700000 >lines
script -qec 'seenset dedup lines | { sleep 1.4; tail -n 1; }' /dev/null >bar
grep -ao '\[=* *\] [0-9,]* lines, 100 % new, [^,]*/s, [0-9]* %, [^,]* left' bar |
    head -n 1 | sed 's/=* *\]/...]/; s/[0-9,]* lines/some lines/; s/new, .*/new, some left/'
tail -n 1 bar | tr -d '\r' | sed 's/.*\[K//'
