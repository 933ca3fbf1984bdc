#!/bin/bash
# Every message of docs/troubleshooting.md is what the command prints.
#
#     troubleshooting.sh <build folder> <source folder>
#
# A comment "<!-- COMMANDS -->" is followed by a block of four spaces. The
# commands run in an empty folder, and their standard error has the text of the
# block.
set -eu
export LC_ALL=C
page=$2/docs/troubleshooting.md
PATH=$1:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One pair a number: NUMBER.commands and NUMBER.message. Prints how many.
cut_page() {
    awk -v folder="$work" '
        /^<!-- / {
            commands = folder "/" ++count ".commands"
            message = folder "/" count ".message"
            sub(/^<!-- /, "")
            is_in_comment = 1
        }
        is_in_comment {
            is_last = sub(/ -->$/, "")
            print >commands
            if (is_last) {
                close(commands)
                is_in_comment = 0
                is_awaited = 1
            }
            next
        }
        is_awaited && /^    / { sub(/^    /, ""); print >message; is_in = 1; next }
        is_in { close(message); is_in = is_awaited = 0 }
        END { print count + 0 }' "$1"
}

# Runs the commands of a number, and fails unless they print its message.
prints_message() {
    mkdir "$work/$1.folder"
    (cd "$work/$1.folder" && bash "$work/$1.commands") \
        >"$work/$1.printed" 2>&1 </dev/null || true
    grep -qF -- "$(cat "$work/$1.message")" "$work/$1.printed"
}

count=$(cut_page "$page")
[ "$count" -ge 15 ]
for number in $(seq "$count"); do
    prints_message "$number" || {
        echo "docs/troubleshooting.md has: $(cat "$work/$number.message")"
        echo "and the command printed: $(cat "$work/$number.printed")"
        exit 1
    }
done
echo "$count messages are what the command prints"

# ---- planted: another message ----

echo 'a word too many' >>"$work/1.message"
sed -i 's/^/x/' "$work/1.message"
rm -rf "$work/1.folder"
if prints_message 1; then
    echo "the comparison cannot fail: it missed a planted fault"
    exit 1
fi
