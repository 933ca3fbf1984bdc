# Every command that opens a set opens one without its journal on request.
seenset new seen -n 4M
seenset add seen one
seenset new other -n 4M
rm seen.log
first() { head -n 1 | cut -c -40; }
for command in "has seen one" "info seen" "verify seen" "similarity seen other" \
    "diff seen other" "merge out seen" "count seen one"; do
    # shellcheck disable=SC2086  # words
    seenset $command --without-journal 2>/dev/null | first
done
seenset has seen one --without-journal
echo $?
cp seen again
seenset has - one --without-journal < seen
seenset add seen two --without-journal
seenset has seen one two
seenset compact again
echo $?
seenset compact again --without-journal
seenset verify again
seenset dedup --without-journal seen
echo $?
