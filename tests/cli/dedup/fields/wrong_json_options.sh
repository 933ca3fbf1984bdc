# needs: yajl
try()
{
    printf "dedup %s\n" "$*"
    seenset dedup "$@" 2>&1 >/dev/null </dev/null | head -n 1
}
try --json
try --json -f .a -d ,
try --json -f user.id
try --json -f 3
try --json -f .a..b
try --json -f '.a['
try --json -f '.a[x]'
try --json -f '.a["x]'
try --json -f '.a[1'
try --json -f '.a[99999999999999999999]'
try --json -f .a,
