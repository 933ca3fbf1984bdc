# shellcheck shell=bash
# What the loops work on: a site to crawl, a list of URLs to visit, a feed of
# lines, a tree of files. Each `work_...` makes a box with a loop and sets
#
#     witness    a file of lines "200 PAGE", one for each time that a page was
#                fetched, a line printed, a file processed
#     due        how many different ones there have to be in the end
#     batch      how many may be done again after each interruption
#     is_done    the function that says whether there is nothing left

# localise BLOCK: the loop, with the site's address and the sizes replaced.
localise()
{
    sed -e "s|https://www.example.org|http://127.0.0.1:$port|" \
        -e 's/push -n 10M/push -n 10k/; s/pop -n 100/pop -n 5/' "$1" >"$work/loop"
    batch=$(sed -n 's/.*pop -n \([0-9]*\).*/\1/p' "$work/loop")
    batch=${batch:-1}
}

# work_site NAME BLOCK: every FAILING-th page fails at first.
work_site()
{
    witness=$work/$1.log due=$pages is_done=queue_is_done
    : >"$witness" # of an earlier site, whose port it names
    "$build/tests/crawl_site" "$pages" "$pages" "${FAILING:-0}" >"$witness" &
    site_pid=$!
    until grep -qs '^port' "$witness"; do sleep 0.01; done
    port=$(sed -n 's/^port //p' "$witness")
    localise "$2"
    make_box "$1" "$work/loop"
}

# work_list NAME BLOCK: lines that no queue takes are among the URLs.
work_list()
{
    due=$pages is_done=queue_is_done port=
    localise "$2"
    make_box "$1" "$work/loop"
    witness=$box/witness
    : >"$witness"
    {
        seq -f 'http://a.example/page/%.0f' 0 $((pages / 2))
        echo 'this is not a URL'
        head -c 1200000 /dev/zero | tr '\0' x
        echo
        seq -f 'http://a.example/page/%.0f' 0 $((pages - 1))
    } >"$home/urls"
    printf '#!/bin/sh\nsed "s|.*/|200 |" >>"%s"\n' "$witness" >"$box/bin/visit"
    chmod +x "$box/bin/visit"
}

# work_feed NAME BLOCK: lines with repeats, one of them of 2 MB. What is
# printed may be printed again after a kill, all of it.
work_feed()
{
    due=500 batch=$due is_done=true
    make_box "$1" "$2"
    witness=$box/out
    cat >"$box/bin/feed" <<'EOS'
#!/bin/sh
for part in 1 2 3 4 5; do
    seq -f '200 %.0f' 0 $((part * 100 - 1))
    head -c 2000000 /dev/zero | tr '\0' x && echo
    sleep 0.01
done
EOS
    chmod +x "$box/bin/feed"
}

# work_files NAME BLOCK: each file's name ends with its number, after a newline.
work_files()
{
    local number
    due=40 batch=$due is_done=true
    make_box "$1" "$2"
    witness=$box/witness
    : >"$witness"
    mkdir "$home/files"
    for number in $(seq 0 $((due - 1))); do
        : >"$home/files/name with blanks"$'\n'"200 $number"
    done
    cat >"$box/bin/process" <<EOS
#!/bin/sh
for file; do
    [ -e "\$file" ] || exit 1
    printf '%s\n' "\$file" | grep '^200 ' >>"$witness"
done
EOS
    chmod +x "$box/bin/process"
}

# work_console NAME BLOCK: what stands after the prompts; prints two numbers of
# lines, all different ones and, in the second run, none.
work_console()
{
    due=1000 batch=0 is_done=true
    sed -n 's/^\$ //p' "$2" >"$work/loop"
    make_box "$1" "$work/loop"
    witness=$box/witness
    seq 1000 | sed p >"$home/urls.txt"
}

# judge AGAIN: the oracle. All that is due was done, and at most so many of
# them once more than once.
judge()
{
    local verdict
    verdict=$(awk -v due="$due" -v most="$1" '
        /^200 [0-9]+$/ { if (count[$2]++) again++ }
        END {
            for (i = 0; i < due; i++)
                missing += !(i in count)
            printf "%d of %d lost, %d done again", missing, due, again + 0
            exit missing > 0 || again > most
        }' "$witness") || fail "$verdict, $1 allowed"
    counted="$verdict, $interrupted times interrupted"
}
