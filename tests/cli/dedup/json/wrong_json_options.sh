# needs: yajl
try()
{
    printf "dedup %s\n" "$*"
    seenset dedup "$@" 2>&1 >/dev/null </dev/null | head -n 1
}
try --from-format json
try --from-format json -f .a -d ,
try --from-format json -f user.id
try --from-format json -f 3
try --from-format json -f .a..b
try --from-format json -f '.a['
try --from-format json -f '.a[x]'
try --from-format json -f '.a["x]'
try --from-format json -f '.a[1'
try --from-format json -f '.a[99999999999999999999]'
try --from-format json -f .a,
try --from-format yaml -f .a
try --from-format json --csv -f .a
try --csv --from-format json -f .a
try --csv --from-format columns -f 1
try --from-format json --from-format csv -f .a
try --json -f .a # as in drafts
