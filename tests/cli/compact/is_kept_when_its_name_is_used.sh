# A set that was moved away without its journal: whatever makes another one of
# its name keeps the journal, which opens the set again.
begin() {
    rm -rf ./*
    mkdir old
    seenset new seen -n 4M
    seenset add seen "$1"
    mv seen old
}
end() {
    find . -name 'seen*' | sed 's/of-.*/of-/' | sort
    seenset has old/seen "$1" 2>/dev/null
    mv seen.log.of-* old/seen.log
    seenset has old/seen "$1"
}
begin new
seenset new seen -n 4M
end new
begin dedup
echo a | seenset dedup --set seen -n 4M
end dedup
begin merge
seenset new other -n 4M
seenset merge seen other
end merge
begin seal
echo a | seenset seal seen
end seal
begin add
seenset new other -n 3M
mv other seen
seenset add seen x
end add
seenset has seen x
begin named
seenset new seen -n 4M 2>/dev/null
mv old/seen seen
seenset has seen named
mv seen.log.of-* seen.log
seenset has seen named
