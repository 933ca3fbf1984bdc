# Each mistake is a usage error, or an error of the file, that says what to do.
try()
{
    printf "dedup %s\n" "$*"
    seenset dedup "$@" 2>&1 >/dev/null </dev/null | head -n 1
}
try -f 0
try -f abc
try -f ''
try -f 1,
try -f 1-3
try -f 18446744073709551616
try -f .user.id
try -d ,
try -f 1 -d ab
try -f 1 -d ''
try -f 1 -d '\q'
try -f 1 -d '\xf'
try -f 1 -d '\n'
try -0 -f 1 -d '\0'
try --csv -f 1 -d '"'
try --csv --no-header -f url
try --no-header -f 1
try --missing=keep
try --missing=ignore -f 1
try --csv --from-format json -f .a
printf 'id;url;"a\n\tb"\n1;2;3\n' >csv
try --csv -f url csv
try --csv -f 2 csv
try --csv -d ';' -f urls csv
try --csv -d ';' -f 4,1 csv
i=0
while [ $i -lt 200 ]; do
    printf 'field%d,' $i
    i=$((i + 1))
done >wide
try --csv -f url wide
