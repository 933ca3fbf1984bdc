# needs: glibc
# What BF.SCANDUMP of RedisBloom 8.2.0 handed out: one filter, which takes keys
# up to those that it was made for, and a chain, which takes none here.
dumps=$SEENSET_TEST_ROOT/fuzz/corpus/foreign
cp "$dumps/redisbloom" one
cp "$dumps/redisbloom-chain" chain
seenset check one
seenset check chain
seenset check --json one
seenset has chain item-0 item-57 item-99 no-such-item
seenset has --row-groups chain item-0 item-57 item-99 no-such-item
seenset has one item-0 item-1
seenset add one a b c d e f g
seenset has one item-0 a g h
seenset convert --format seenset one set
seenset has set item-0 a g h
seenset info set | grep scheme
cp one two
seenset merge both one two && cmp both one

try() {
    seenset "$@" 2>&1
    echo "status $?"
}
cp one before
seq 20 >keys
try add --from keys one
cmp one before
cp chain before
try add chain x
cmp chain before
try merge union chain one
try convert --format seenset chain set2
try convert --format dcso one x
try new --format redisbloom x
try has --funnel hex one 00
head -c 80 one >cut
try check cut
