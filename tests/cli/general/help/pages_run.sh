# needs: speed yajl
# The commands of pages, as they stand and in their order, print what the page
# shows: standard output, then the messages.
cat >run.awk <<'END'
# Each command goes to a file command.N, and what the page prints to page.N.
!/^    / { is_in = is_command = 0 }
/^    \$ / { n++; is_in = is_command = 1; sub(/^    \$ /, "") }
is_in && is_command {
    print >("command." n)
    is_command = /[|\\]$/
    printf "" >("page." n)
    next
}
is_in { sub(/^    /, ""); print >("page." n) }
END
# compare PAGE: the commands that print something else
compare()
{
    rm -rf box && mkdir box && cd box || exit 1
    awk -f ../run.awk "$1"
    i=0
    while [ -e "command.$((i += 1))" ]; do
        eval "$(cat "command.$i")" >out 2>err
        cat out err | cmp -s - "page.$i" || head -n 1 "command.$i"
    done
    echo "$((i - 1)) commands"
    cd ..
}
for page in fields operating; do
    compare "$SEENSET_TEST_ROOT/docs/$page.md"
done
# A line of output, or a file that is not made, is noticed.
sed 's/^    bob.GET/    bob PUT/; s/>csv$/>other/' \
    "$SEENSET_TEST_ROOT/docs/fields.md" >changed.md
compare "$PWD/changed.md"
