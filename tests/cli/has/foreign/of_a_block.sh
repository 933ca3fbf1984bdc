# needs: glibc
# The filter of a block of Bitcoin (BIP-158), as the BIP publishes it, is asked
# for scripts with the hash of its block; and only read.
printf '\012\373\302\222\012\361\260\047\363\037\207\265\222\047\156' >block
printf '\264\303\040\224\273\115\066\227\002\033\114\143\200' >>block
hash=0000000018b07dca1b28b4b5a119f6d6e71698ce1ed96f143f54179ce177a19c
paid=76a91445db0b779c0b9fa207f12a8218c94fc77aff504588ac
spent=76a914f4fa1cc7de742d135ea82c17adf0bb9cf5f4fb8388ac
other=76a914f4fa1cc7de742d135ea82c17adf0bb9cf5f4fb8388ad
seenset has --block $hash block $paid $other $spent
printf '%s\n' $other $paid | seenset has --block $hash --annotate block
seenset check block
seenset info --json block
printf '\000' >none
seenset check none
seenset has --block $hash none $paid
echo "status $?"

try() {
    seenset "$@" 2>&1
    echo "status $?"
}
cp block before
try has block $paid
try has --block 0$hash block $paid
try has --block ${hash%c}g block $paid
try has --block $hash block zz
try has --funnel txid --block $hash block $paid
try add block $paid
try merge union block block
try convert --format seenset block set
try convert --format bip37 block wallet
seenset new set
try has --block $hash set $paid
cp "$SEENSET_TEST_ROOT/tests/vectors/foreign/guava.bloom" .
try has --block $hash guava.bloom $paid
cmp block before
