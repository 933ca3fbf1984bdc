#!/bin/sh
# The rooms of src/ and what each may include: the table below is the plan of
# the house, and every #include is held against it.
#
#     layers.sh project [src | fronts]      without either: both
#
# Fails on an include from a room that is not named, on one without a room's
# name, and on files that include each other in a circle, however long.
set -eu
export LC_ALL=C

# A room, and the rooms it may include besides itself.
plan='
base
hash    base
expand  base
table   base hash expand
plan    base hash expand table
set     base hash expand table plan
file    base hash expand table plan set
foreign base hash expand table plan set file
url     base
log     base
items   base hash log
seen    base hash expand table plan set file log
queue   base hash expand table plan set file url log items seen
'

# Each include of a project file in src/: "room/file.h room/other.h".
includes() {
    cd "$1"
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

check_src() {
    all=$(includes "$1/src")
    [ -n "$all" ] || echo "$1/src has no includes"
    check_rooms "$all"
    check_circles "$all"
}

# Prints each include of a front that is neither its own nor public. The
# include path of the compiler decides nothing here.
check_front() {
    own=$1/fronts/$2
    (cd "$own" && grep -r '^#include "' --include='*.[ch]' .) |
        sed 's,^\./,,; s,:#include ", ,; s,".*,,' |
        while read -r file other; do
            [ -e "$own/$other" ] || [ -e "$1/include/$other" ] ||
                echo "fronts/$2/$file includes $other: not its own, not public"
        done
}

check_fronts() {
    for front in "$1"/fronts/*/; do
        front=$(basename "$front")
        check_front "$1" "$front"
        check_circles "$(includes "$1/fronts/$front")"
    done
}

# check PROJECT PART: part is src or fronts.
check() {
    "check_$2" "$1"
}

project=$1
shift
[ $# -gt 0 ] || set -- src fronts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for part; do
    check "$project" "$part"
done >"$work/found"
cat "$work/found"
[ ! -s "$work/found" ]

# ---- planted: each of them is found ----

# planted FILE INCLUDE MESSAGE: the file includes something that it may not.
planted() {
    rm -rf "$work/planted" && mkdir "$work/planted"
    cp -R "$project/src" "$project/include" "$project/fronts" "$work/planted"
    printf '#include "%s"\n' "$2" >>"$work/planted/$1"
    check "$work/planted" "${1%%/*}" | grep -q "$3" || {
        echo "planted: $1 that includes $2 is not found"
        exit 1
    }
}
for part; do
    case $part in
    src)
        planted src/base/array.h set/set.h 'base may not see set'
        planted src/set/stats.c algebra.h 'not in a room'
        planted src/base/clock.h base/io.h 'a circle'
        ;;
    fronts)
        planted fronts/cli/sets/lock.c set/set.h 'not its own, not public'
        planted fronts/cli/report/complain.h text/options.h 'a circle'
        ;;
    esac
done
