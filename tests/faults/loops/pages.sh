# shellcheck shell=bash
# The code of the documentation, taken out of the pages themselves, so that
# what a reader copies is what the tests run.

# blocks_of PAGE: each block of code as one file in $blocks. In Markdown that
# are indented lines and fenced ones in the shell's language, outside of
# comments, in the manual what is between .EX and .EE.
blocks_of()
{
    awk -v blocks="$blocks" -v page="$(basename "$1")" '
        function add(line) {
            if (!inside) {
                inside = 1
                file = sprintf("%s/%s-%02d", blocks, page, ++count)
            }
            print line >file
        }
        function plain(line) { # what man(7) writes otherwise
            gsub(/\\-/, "-", line)
            gsub(/\\e/, "\\", line)
            return line
        }
        page ~ /[.]1$/ && $0 == ".EX" { in_manual = 1; next }
        page ~ /[.]1$/ && $0 == ".EE" { in_manual = inside = 0; next }
        in_manual { sub(/^    /, ""); add(plain($0)); next }
        /^```/ {
            fence = fence == "" ? $0 : ""
            inside = 0
            next
        }
        fence ~ /^```(sh|console)/ { add($0); next }
        page ~ /[.]md$/ && fence == "" && /^<!--/ { in_comment = 1 }
        in_comment { in_comment = !/-->/; inside = 0; next }
        page ~ /[.]md$/ && fence == "" && /^    / { sub(/^    /, ""); add($0); next }
        { inside = 0 }' "$1"
}

# Is this a loop, or a pipeline into a set or a queue: something that can be
# killed half-way and started again? What only looks is not.
is_loop()
{
    local looks='seenset (info|queue (stat|export)) .*\| (grep|head) '
    grep seenset "$1" | grep -vqE "$looks" &&
        grep -vE "$looks" "$1" |
        grep -qE '(^|[;&]) *(while|until|for) |\| *seenset|seenset.*\|'
}

# find_block WORDS...: the only block with all of these words, or a failure.
find_block()
{
    local block word found=()
    for block in "$blocks"/*; do
        for word; do
            grep -qF -e "$word" "$block" || continue 2
        done
        found+=("$block")
    done
    [[ ${#found[@]} == 1 ]] || fail "${#found[@]} blocks have: $*"
    echo "${found[0]}"
}
