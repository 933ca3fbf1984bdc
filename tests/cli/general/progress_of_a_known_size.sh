# Of a file it is known how much is left. The reader behind the pipe waits until
# the terminal shows a bar, and then takes the rest; the file is more than pipes
# hold.
seq 700000 >lines
script -qfec 'seenset dedup lines | {
    until grep -aqs "lef[t]" bar; do sleep 0.1; done
    tail -n 1; }' bar >/dev/null
grep -ao '\[=* *\] [0-9,]* lines, 100 % new, [^,]*/s, [0-9]* %, [^,]* left' bar |
    head -n 1 | sed 's/=* *\]/...]/; s/[0-9,]* lines/some lines/; s/new, .*/new, some left/'
# The last line that came through, without what script writes about itself.
tr -d '\r' <bar | sed 's/.*\[K//' | grep -a '^[0-9]*$' | grep .
