# --stats: how many of the answers "seen" are probably wrong. Of 30,000 lines
# that were never added the set's rate calls seen, give or take chance, what it
# says; and lines without a key count as neither.
seenset new s -n 1000 -p 2% --on-full refuse
seq 1000 | seenset add s
seq 1001 31000 | seenset has --stats s >seen 2>said
awk -v printed="$(wc -l <seen)" '
    $1 == "seen" { seen = $2 }
    $1 == "wrongly" { wrong = $3 }
    END {
        gap = seen - wrong
        print seen == printed, gap * gap < 25 * wrong
    }' said
cut -c 1-20 said
seq 1000 | seenset has -v --stats s 2>&1
printf 'a\t7\nb\nc\t8\n' | seenset has --stats -f 2 s 2>&1 >seen |
    head -n 2
seenset has --stats -q s 7 2>&1 | head -n 1
