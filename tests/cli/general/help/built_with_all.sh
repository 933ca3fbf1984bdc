# needs: glibc
# What is tested here has every library that a command can do without. One that
# was not found when it was configured is a failure: then `make deps` installs it,
# and a fresh build folder finds it.
seenset --version | tail -n +2

# And not only by name: each is used, or says in another way what is wrong.
refused() {
    ! "$@" </dev/null >said 2>&1 && ! grep 'built without' said
}
refused seenset queue push --wait=0 redis://127.0.0.1:1/crawl
echo '{"a":1}' | seenset dedup --from-format json -f .a
for format in gzip xz zstd; do
    echo key | $format | seenset dedup -z
done
echo HTTP://A/ | seenset dedup --normalise url
seenset new -n 1000 set
seenset info --picture set.png set
od -An -tx1 -N4 set.png
