seq 1000000 >in
{ seenset dedup --set seen in; echo $? >status; } | head -n 1
cat status
[ -e seen ] && echo saved
# Where the signal is ignored, an error, but no word and nothing saved.
{ trap '' PIPE; seenset dedup --set seen in; echo $? >status; } | head -n 1
cat status
[ -e seen ] && echo saved
true
