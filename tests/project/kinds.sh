#!/bin/sh
# What kind a set is stands in its row (src/set/kinds/kind.h), which one place
# chooses. So src/set does not ask a handle for its flags, but on few lines:
#
#     kinds.sh project
#
# Counted are the lines, outside of comments and set.h, that name is_view,
# is_shared or is_sliding, or hold `checks` or `remembered` against NULL. A line
# that only copies a flag (is_shared = ...) asks nothing, and is_shared of a
# layout is the layout's.
set -eu
export LC_ALL=C
most=20

# Each line that asks, with its place.
questions() {
    (cd "$1" && find src/set -name '*.[ch]' ! -path src/set/set.h | sort |
        xargs grep -nE "$asks") |
        grep -vE '^[^:]*:[0-9]+: *(\*|/\*)|is_(view|shared|sliding) = |layout->is_shared'
}
asks='\bis_(view|shared|sliding|plain|single|pair)\b|\b(checks|remembered) [!=]= NULL'

count=$(questions "$1" | wc -l)
if [ "$count" -gt "$most" ] || [ "$count" -eq 0 ]; then
    questions "$1"
    echo "src/set asks for the kind of a set on $count lines, of at most $most"
    exit 1
fi

# Kinds are compared in one place only.
compared() {
    (cd "$1" && grep -rnE '[!=]= &ss_kind_' src --include='*.[ch]') |
        grep -v '^src/set/kinds/kind\.c:' || :
}
[ -z "$(compared "$1")" ] || {
    compared "$1"
    echo "a kind is compared: ask its row"
    exit 1
}

# ---- planted: each way to ask is found ----

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
planted() {
    rm -rf "$work/src"
    cp -R "$1/src" "$work"
    printf '%s\n' "$2" >>"$work/src/set/add.c"
    [ "$(questions "$work" | wc -l)" -eq $((count + 1)) ] ||
        [ -n "$(compared "$work")" ] || {
        echo "planted: not found: $2"
        exit 1
    }
}
planted "$1" '    if (set->is_view)'
planted "$1" '    return !into->is_sliding && is_due;'
planted "$1" '    if (set->remembered == NULL)'
planted "$1" '    bool is_done = set->checks != NULL;'
planted "$1" '    if (set->kind == &ss_kind_pair)'
