set -e
for name in a b c; do
    seenset new $name -n 1k -p 1e-6
    seenset add $name key-$name both
done
seenset merge all a b
seenset has all key-a key-b key-c both
echo --
seenset merge a a c
seenset has a key-a key-b key-c
ls
