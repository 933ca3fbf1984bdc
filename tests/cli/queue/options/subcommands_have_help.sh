# needs: speed
# Each subcommand that the help lists has a help, a usage and the version, by
# every way to ask for them.
seenset queue help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -v seenset >all
seenset queue --help | cmp - /dev/stdin <<END && echo "one help"
$(seenset queue help)
END
while read -r name; do
    seenset queue help "$name" >first
    seenset queue "$name" --help >second
    seenset help queue "$name" >third
    cmp first second && cmp first third &&
        head -n 1 first | grep -q "^Usage: seenset queue $name \[OPTION" ||
        echo "$name: $(head -n 1 first)"
    [ "$(seenset queue "$name" --version)" = "$(seenset --version | head -n 1)" ] ||
        echo "$name: its version"
    seenset queue "$name" --usage | grep -q "^Usage: seenset queue $name " ||
        echo "$name: its usage"
done <all
[ "$(wc -l <all)" -ge 8 ] && echo "all of them"
for version in --version -V version; do
    seenset queue $version | cmp - /dev/stdin <<END && echo "the version"
$(seenset --version)
END
done
for bad in 'help nothing' 'help pop push' '--version now' 'nothing' '--nothing'; do
    seenset queue $bad >out
    echo "$bad: $? $(wc -c <out)"
done
