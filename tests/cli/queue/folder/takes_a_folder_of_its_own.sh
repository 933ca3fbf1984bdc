# Among other people's files no queue is made, and none of them is touched.
mkdir papers
echo mine >papers/draft.tmp
echo url | seenset queue push papers
echo "$?"
ls papers
echo url | seenset queue push .
echo "$?"
mkdir empty
echo url | seenset queue push empty
seenset queue pop --ack empty
# A repair that did not end.
: >empty/REPAIR
seenset queue pop empty
echo "$?"
seenset queue repair empty
echo more | seenset queue push empty
seenset queue pop --ack empty
# What no queue can have leaves the folder as it was.
echo url | seenset queue push -n 1000000000000000 -p 1% empty2
echo "$?"
echo url | seenset queue push -n 1000 empty2
seenset queue pop --ack empty2
