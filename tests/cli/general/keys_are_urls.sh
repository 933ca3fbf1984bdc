# needs: urls
# --normalise url: all commands know a URL by its normal form, print the line as
# it was, and leave out what is not a URL.
cat >urls <<'URLS'
HTTP://EXAMPLE.com:80/a/../b#top
not a URL
http://example.com/b

http://other.example/%7Euser
ftp://example.com/
URLS
seenset new plain -n 1000
seenset new keyed -n 1000 --keyed
seenset new scheme -n 1000 --scheme md5-divmod
seenset new counts -n 1000 --layout counting
for name in plain keyed scheme counts; do
    echo "$name"
    seenset add --normalise url $name <urls
    echo $?
    # as bytes, only the normal forms are in it
    seenset has $name <urls
    seenset has --normalise url $name <urls
    seenset has -v --normalise url $name 'HTTP://OTHER.example/~user' \
        http://third.example nothing
    echo $?
    seenset has -q --normalise url $name 'HTTP://OTHER.example/~user'
    echo $?
done 2>&1
echo counting
seenset count --normalise url counts <urls
seenset remove --normalise url counts <urls
echo $?
seenset count --normalise url counts <urls
echo sealing
seenset seal --normalise url sealed urls
seenset seal --normalise url --keyed sealed-keyed --from urls
for name in sealed sealed-keyed; do
    seenset has --normalise url $name <urls 2>&1
done
echo strict
seenset dedup --normalise url --strict --set seen <urls
echo $?
seenset has --normalise url -0 seen http://example.com/b | tr '\0' '\n'
seenset add --normalise url --strict plain nothing
echo $?
seenset add --normalise url --strict plain http://example.com
echo $?
seenset seal --normalise url --strict --force sealed urls
echo "$? $(seenset has sealed http://example.com/b)"
echo counts
seenset dedup --normalise url -c urls
seenset dedup --normalise url -v urls
echo mistakes
for options in "--normalise uri" "--normalise off --strict" --strict; do
    for command in dedup "add plain" "has plain" "seal new"; do
        # shellcheck disable=SC2086  # several words
        seenset $command $options 2>&1 | head -n 1
    done
done
