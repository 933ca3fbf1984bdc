# A set file is not lines of text, whichever way it comes.
seenset new other -n 100
seenset add other 1 2
seenset new set -n 100
seenset new counting -n 100 --layout counting
try()
{
    "$@"
    echo "$? $(ls)" | tr '\n' ' '
    echo
}
try seenset dedup other
try seenset dedup --set new other
cat other | try seenset dedup
try seenset add set --from other
try seenset add set <other
try seenset has set --from other
try seenset count counting --from other
try seenset remove counting --from other
try seenset seal sealed other
(head -c 3 other && sleep 0.1 && tail -c +4 other) | try seenset has set
try seenset queue push crawl <other
cat other | try seenset queue push crawl
seenset queue pop crawl
echo $?
# What only begins like one is text.
head -c 5 other | seenset dedup -c
seenset info set | grep '^added'
