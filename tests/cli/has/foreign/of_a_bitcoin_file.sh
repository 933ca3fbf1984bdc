# needs: glibc
# A filter of Bitcoin (BIP-37), as its programs publish it: keys are hexadecimal
# digits, or ids of transactions and outputs as they are shown.
printf '\003\316\102\231\005\000\000\000\001\000\000\200\001' >core
first=99108ad8ed9bb6274d3980bab5a85c048f0950c8
second=b5a2c786d9ef4658287ced5914b37a1b4aa32eee
seenset has core $first $second 19108ad8ed9bb6274d3980bab5a85c048f0950c8
seenset check core
seenset check --json core
seenset new --format bip37 -n 20 -p 1e-6 --seed 7 wallet
cp wallet empty
id=0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789abc0de
other=dec0ab8967452301efcdab8967452301efcdab8967452301efcdab8967452301
seenset add --funnel txid wallet $id $id:7
seenset has --funnel txid wallet $id $id:7 $id:8 $other
seenset has wallet $other "${other}07000000" "${other}00000007" $id
seenset add --funnel bytes wallet 'plain text'
seenset has wallet "$(printf 'plain text' | od -An -tx1 | tr -d ' \n')"
seenset info wallet
tail -c 9 wallet | od -An -tx1

# ---- another container: the bits, k and tweak are those of before ----

seenset convert --format seenset core set
seenset info set | grep -e seed -e scheme
seenset convert --format bip37 set back
cmp core back
seenset convert --format bip37 core same && cmp core same

# ---- refused ----

try() {
    seenset "$@" 2>&1
    echo "status $?"
}
cp wallet before
try has core abc
try has core 0x00
try add wallet 00 0g
try has --funnel txid core $first
try has --funnel txid core $id:4294967296
try has --funnel txid core $id:
try has --funnel utf16 core 00
try has --funnel txid set 00
try merge x core wallet
seenset merge union wallet empty && cmp union wallet
try new --format bip37 -n 40000 x
try new --format bip37 -n 10 -p 1e-20 x
try new --format bip37 --seed 4294967296 x
try new --format guava --seed 7 x
try new --scheme bip37 -n 1000 -k 51 x
try new --scheme bip37 -n 1000 -m 36001B x
try new --scheme bip37 --seed 4294967296 x
try convert --format guava core x
cmp wallet before
head -c 12 core >cut
try has cut 00
