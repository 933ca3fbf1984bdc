# needs: glibc
# Files that Guava 31.1 wrote (tests/vectors/foreign/Make.java): one of UTF-8
# keys, and one of UTF-16 and the older strategy. What a funnel cannot take is
# refused.
files=$SEENSET_TEST_ROOT/tests/vectors/foreign
cp "$files/guava.bloom" "$files/guava-32.bloom" "$files/flor.bloom" .
seq 0 3000 | sed 's/^/key /' >keys
head -500 keys >added
seenset has guava.bloom <keys | cmp - added
seenset has --funnel utf8 guava.bloom <keys | cmp - added
seenset has --funnel bytes guava.bloom <keys | cmp - added
seenset has --funnel utf16 guava-32.bloom <keys | cmp - added
seenset has guava-32.bloom <keys | wc -l # planted: another funnel
seenset info guava-32.bloom
seenset check --json guava.bloom
try() {
    seenset "$@" 2>&1
    echo "status $?"
}
try has -v --funnel utf16 guava.bloom "$(printf '\303')"
try has -v --funnel utf16 guava.bloom "$(printf '\355\240\200')"
try has -v --funnel utf16 guava.bloom "$(printf 'a\360\237\230\200')"
try has -v --funnel int guava.bloom 2147483648
try has -v --funnel int guava.bloom -- -2147483648
try has -v --funnel long guava.bloom 9223372036854775807
try has -v --funnel long guava.bloom 1.0
try has --funnel double guava.bloom 1
try has --funnel int flor.bloom 1
seenset new s
try has --funnel int s 1
head -c 2405 guava.bloom >cut
try has cut 'key 1'
