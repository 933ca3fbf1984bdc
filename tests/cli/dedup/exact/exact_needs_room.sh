# needs: limits
# Without a place for temporary files, or with too little room in it: an error
# that names it, exit status 2, no file replaced. Given room, no line is missing.
awk 'BEGIN { for (i = 0; i < 200000; i++) print "http://example.com/" i }' >in
echo old >out
TMPDIR=/no/such/folder seenset dedup --exact -o out in
echo "$? $(cat out)"
mkdir folder
export TMPDIR=folder
try()
{
    (
        ulimit -f 1000
        seenset dedup --exact -n 10 --on-full degrade "$@" in 2>error
        echo $? >status
    ) | cat >ours
    grep -v 'past its capacity' error
    cat status out
    [ "$(wc -l <ours)" -lt 200000 ] || echo "the limit was not met"
    ls -A folder
}
try
try -o out
seenset dedup --exact -n 10 --on-full degrade in 2>/dev/null | sort >ours
sort in | cmp - ours && echo "none is missing"
ls -A folder
