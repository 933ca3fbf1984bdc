# A set that the library made, with keys it hashed itself: key 0 to key 99.
golden=$SEENSET_TEST_GOLDEN
seq -f 'key %g' 0 99 >in
seenset has "$golden/v1-blocked.seenset" <in | cmp - in && echo all
seenset has -v "$golden/v1-blocked.seenset" 'key 5' 'key 100'
