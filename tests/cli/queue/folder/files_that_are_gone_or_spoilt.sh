# A lost LOCK is made anew; a MANIFEST is not; an empty log can be filled.
printf 'a\nb\n' | seenset queue push crawl
rm crawl/LOCK
seenset queue verify crawl
cp -r crawl spoilt
printf x | dd of=spoilt/MANIFEST bs=1 seek=30 conv=notrunc 2>dd
for call in pop verify repair; do
    seenset queue "$call" spoilt
    echo "$?"
done
rm spoilt/MANIFEST
for call in pop verify repair; do
    seenset queue "$call" spoilt
    echo "$?"
done
: >crawl/log-0000000000000000
seenset queue pop crawl
echo "$?"
seenset queue repair crawl
seenset queue verify crawl
seenset queue pop crawl
echo "$?"
