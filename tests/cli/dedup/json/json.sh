# needs: yajl
# A value of a line of JSON is its key: a string without its escapes, a number as
# it is written, the names of true, false and null.
cat >lines <<'END'
{"user":{"id":1,"tags":["a","b"]}}
{"user":{"id":"1"}}
{"z":0,"user":{"x":{"id":2},"id":1.0}}
{"user":{"id":"\u00e9"}}
{"user":{"id":"é"}}
{"user":{"id":"\ud83d\ude00"}}
{"user":{"id":"😀"}}
{"user":{"id":null}}
{"user":{"id":"null"}}
{"user":{"id":5,"id":1}}
{"user":{"id":6},"user":{"id":1}}
  { "user" : { "id" : 1 } }  
{"user.id":1}
END
echo "by path:"
seenset dedup --from-format json -f .user.id lines 2>said
cat said
echo "an element of an array:"
printf '%s\n' '{"a":[[1,2],[3,4]]}' '{"a":[[1,2],[3,5]]}' '{"a":[0,[3]]}' |
    seenset dedup --from-format json -f '.a[1][0]'
echo "a name in quotes:"
seenset dedup --from-format json -f '.["user.id"]' lines 2>/dev/null | tail -n 1
seenset dedup --from-format json -f '.["user"].id' lines 2>/dev/null | cmp - - && echo same
echo "two:"
printf '%s\n' '{"a":1,"b":23}' '{"a":12,"b":3}' '{"b":3,"a":12}' |
    seenset dedup --from-format json -f .a,.b
echo "the value itself:"
printf '%s\n' 1 '"1"' '"a"' 'true' '"\u0061"' | seenset dedup --from-format json -f .
echo "NUL:"
printf '{"a":\n1}\0{"a":1}\0{"a":2}\0' | seenset dedup -0 --from-format json -f .a |
    tr '\0\n' '\n '
