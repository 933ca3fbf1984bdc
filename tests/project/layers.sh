#!/bin/sh
# The rooms of src/ and what each may include: the table below is the plan of
# the house, and every #include is held against it.
#
#     layers.sh project
#
# Fails on an include from a room that is not named, on one without a room's
# name, and on files that include each other in a circle, however long.
set -eu
export LC_ALL=C

# A room, and the rooms it may include besides itself.
plan='
base
hash    base
table   base hash
plan    base hash table
set     base hash table plan
file    base hash table plan set
foreign base hash table plan set file
url     base
queue   base hash table plan set file url
'

# Each include of a project file in src/: "room/file.h room/other.h".
includes() {
    cd "$1/src"
    find . -name '*.[ch]' | sed 's,^\./,,' | sort |
        while read -r file; do
            sed -n "s,^#include \"\([^\"]*\)\".*,$file \1,p" "$file"
        done | grep -v ' seenset/' || :
}

# Says which arrows run up, or lead nowhere.
check_rooms() {
    printf '%s\n' "$plan" "----" "$1" | awk '
        $1 == "----" { is_plan = 0; in_list = 1; next }
        !in_list && NF { for (i = 1; i <= NF; i++) may[$1, $i] = 1
                         room[$1] = 1 }
        in_list && NF == 2 {
            split($1, from, "/"); split($2, to, "/")
            if (!(from[1] in room) || !(to[1] in room) || to[2] == "")
                print $1 " includes " $2 ", which is not in a room"
            else if (!((from[1], to[1]) in may))
                print $1 " includes " $2 ": " from[1] " may not see " to[1]
        }'
}

# Says which files are part of a circle, or between two. A .c and its .h count
# as one, for they are one idea. Arrows from where none comes in, and to where
# none goes out, are cut off until nothing changes.
check_circles() {
    printf '%s\n' "$1" | sed 's/\.[ch] / /; s/\.[ch]$//' |
        awk '$1 != $2' | sort -u >"$work/arrows"
    while :; do
        awk 'NR == FNR { starts[$1] = 1; ends[$2] = 1; next }
             $2 in starts && $1 in ends' \
            "$work/arrows" "$work/arrows" >"$work/left"
        cmp -s "$work/arrows" "$work/left" && break
        mv "$work/left" "$work/arrows"
    done
    sed 's/^\(.*\) \(.*\)$/\1 includes \2: a circle/' "$work/arrows"
}

check() {
    all=$(includes "$1")
    [ -n "$all" ] || echo "$1/src has no includes"
    check_rooms "$all"
    check_circles "$all"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check "$1" >"$work/found"
cat "$work/found"
[ ! -s "$work/found" ]

# ---- planted: each of the three is found ----

planted() {
    rm -rf "$work/planted" && mkdir "$work/planted"
    cp -R "$1/src" "$work/planted/src"
    printf '#include "%s"\n' "$3" >>"$work/planted/src/$2"
    check "$work/planted" | grep -q "$4" || {
        echo "planted: $2 that includes $3 is not found"
        exit 1
    }
}
planted "$1" base/array.h set/set.h 'base may not see set'
planted "$1" set/stats.c algebra.h 'not in a room'
planted "$1" base/bits.h base/io.h 'a circle'
