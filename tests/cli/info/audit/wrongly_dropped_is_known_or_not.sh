# Of a set that is so full that hardly any line is new, nobody knows how many
# were dropped: the least that it can be is printed, and JSON has null.
figures() {
    grep '^wrongly dropped'
}
json() {
    grep -oE '"(wrong_items|expected_false_positives|least_false_positives|wrongly_dropped)": ?[a-z0-9]+'
}
seenset new f -n 100 -p 1% --layout bloom --on-full degrade
seq 150 | seenset add f 2>/dev/null
seenset info f | figures
seq 20000 | seenset add f 2>/dev/null
seenset info f | figures
seenset info --json f | json
seenset info --format prometheus f | grep '^seenset_[a-z]*_false'
seq 3000 | seenset dedup --stats -n 100 -p 1% --on-full degrade 2>&1 >/dev/null |
    figures
seq 3000 |
    seenset dedup --stats=json -n 100 -p 1% --on-full degrade 2>&1 >/dev/null |
    json
seq 3000 | seenset queue push -n 100 -p 1% --on-full degrade q 2>/dev/null
seenset queue stat q | grep wrongly
seenset queue stat --json q | json
