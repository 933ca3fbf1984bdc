# What --exact cannot do is refused, with what can, before anything is read.
try()
{
    printf "dedup --exact %s\n" "$*"
    seenset dedup --exact "$@" 2>&1 >/dev/null </dev/null | head -n 1
}
try --set seen
try --set seen --dry-run
try -v
try --repeats-to rest
try --times 2
try --window 10k
try --window 24h
try --save-every 60s
try --secret-file secret
ls
