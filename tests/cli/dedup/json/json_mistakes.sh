# needs: yajl
# A line that is not one JSON value has no key, and neither has one whose value
# is an object, an array, or half of a surrogate pair. The lines after it are
# read as they should be, each by itself.
good='{"a":1}'
while read -r bad; do
    printf '%s\n' "$good" "$bad" "$good" >lines
    seenset dedup --from-format json -f .a --missing=drop lines >got 2>said
    [ "$(cat got)" = "$good" ] || printf "%s\n" "$bad: $(cat got)"
    sed 's/.*: //' said
done <<'END'

{
}
{"a":2
{"a":2}}
{"a":2}{}
{"a":2} 3
{"a":2} "}
{"a":2} tru
{"a":02}
{"a":"x
{"a":"\x"}
{"a":nul}
[1,{"a":2}]
{"a":{"a":2}}
{"a":[2]}
{"b":2}
{"a":"\ud800"}
{"a":"\ud83dx"}
{"a":"\udc00\ud83d"}
"a
-
// {"a":2}
END
