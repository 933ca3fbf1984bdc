#!/bin/sh
# The rooms of src/ and what each may include: the table below is the plan of
# the house, and every #include is held against it. So is every call, as the
# objects of a build have them: a declaration can be repeated, or come by a
# header of another file.
#
#     layers.sh project [src | fronts | folders]   without any: all three
#     layers.sh project BUILD               the calls in the objects of a build
#
# Folders have at most 30 files, so that one can look through them.
#
# Fails on an include from a room that is not named, on one without a room's
# name, on files that include each other in a circle, however long, and on files
# that call each other in a circle. Tables of functions (a layout's row, a
# kernel's) are no calls: symbols.awk.
set -eu
export LC_ALL=C

# A room, and the rooms it may include besides itself.
plan='
base
hash    base
lines   base
expand  base lines
table   base hash lines expand
plan    base hash lines expand table
set     base hash lines expand table plan
file    base hash lines expand table plan set
foreign base hash lines expand table plan set file
url     base
log     base
items   base hash log
frontier base hash url
seen    base hash lines expand table plan set file log
queue   base hash lines expand table plan set file url log items seen frontier
'

# Each include of a project file in src/: "room/file.h room/other.h".
includes() {
    (cd "$1" && grep -r '^#include "' --include='*.[ch]' .) |
        sed 's,^\./,,; s,:#include "\([^"]*\)".*, \1,' |
        grep -v ' seenset/' | sort || :
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

# Says which arrows are part of a circle. A .c and its .h count as one, for they
# are one idea. Arrows from where none comes in, and to where none goes out, are
# cut off until nothing changes; of those that are left, an arrow is part of a
# circle if a way leads back.
check_circles() {
    printf '%s\n' "$1" | sed 's/\.[ch] / /; s/\.[ch]$//' |
        awk '$1 != $2' | sort -u | awk '
        { from[NR] = $1; to[NR] = $2; comes_out[$1]++; comes_in[$2]++ }
        function leads(start, target,    seen, list, count, k, i) {
            list[count = 1] = start
            seen[start] = 1
            for (k = 1; k <= count && list[k] != target; k++)
                for (i in from)
                    if (from[i] == list[k] && !(to[i] in seen)) {
                        seen[to[i]] = 1
                        list[++count] = to[i]
                    }
            return k <= count
        }
        END {
            do {
                changes = 0
                for (i in from)
                    if (comes_in[from[i]] == 0 || comes_out[to[i]] == 0) {
                        comes_out[from[i]]--
                        comes_in[to[i]]--
                        delete from[i]
                        changes++
                    }
            } while (changes > 0)
            for (i in from)
                arrows[++left] = from[i] " " to[i]
            for (k = 1; k <= left; k++) {
                split(arrows[k], arrow, " ")
                if (leads(arrow[2], arrow[1]))
                    print arrow[1] " includes " arrow[2] ": a circle"
            }
        }'
}

check_src() {
    all=$(includes "$1/src")
    [ -n "$all" ] || echo "$1/src has no includes"
    check_rooms "$all"
    check_circles "$all"
}

# What the command asks of Windows is asked by the library's own files for it,
# which are linked into it.
is_of_windows() {
    case $1:$2 in
    system/windows/*:base/*) return 0 ;;
    *) return 1 ;;
    esac
}

# Whose turn it is, a crawl in Redis asks the same files as the queue does, which
# are compiled into the module; and so is what moves the blocks of a set.
is_of_module() {
    case $1:$2 in
    redis:frontier/turns/*|redis:set/move.h) return 0 ;;
    *) return 1 ;;
    esac
}

# What the page says of a file of another system is the command's, by the same
# files.
is_of_check() {
    case $1:$2 in
    web:check/*|web:foreign/*) return 0 ;;
    *) return 1 ;;
    esac
}

# Prints each include of a front that is neither its own nor public, nor the
# folder of figures, which is that of all fronts. The include path of the compiler
# decides nothing here.
check_front() {
    own=$1/fronts/$2
    (cd "$own" && grep -r '^#include "' --include='*.[ch]' .) |
        sed 's,^\./,,; s,:#include ", ,; s,".*,,' |
        while read -r file other; do
            [ -e "$own/$other" ] || [ -e "$1/include/$other" ] ||
                [ -e "$1/fronts/figures/${other#figures/}" ] ||
                is_of_module "$2" "$other" ||
                is_of_check "$2" "$other" ||
                is_of_windows "$file" "$other" ||
                echo "fronts/$2/$file includes $other: not its own, not public"
        done
}

# The symbols of the objects in the folders.
symbols() {
    find "$@" -name '*.c.o' -exec nm -g -A -P {} +
}

# Says which calls run up, and which files call each other in a circle. $1: the
# build; or nm's words, where $2 is given.
check_calls() {
    objects=$1/CMakeFiles
    symbols "$objects/seenset_objects.dir/src" \
        "$objects/seenset_queue_objects.dir/src" >"$work/src.nm"
    symbols "$1"/fronts/cli/CMakeFiles/seenset_*.dir >"$work/cli.nm"
    cat "$work"/planted.nm >>"$work/src.nm" 2>/dev/null || :
    for part in src cli; do
        calls=$(awk -v want=calls -f "$here/symbols.awk" "$work/$part.nm")
        [ -n "$calls" ] || echo "$1 has no calls in $part"
        [ $part = cli ] || check_rooms "$(echo "$calls" | cut -d ' ' -f 1,2)" |
            sed 's/ includes / calls /'
        check_circles "$(echo "$calls" | cut -d ' ' -f 1,2)" |
            sed 's/ includes / calls /'
    done
}

check_fronts() {
    for front in "$1"/fronts/*/; do
        front=$(basename "$front")
        check_front "$1" "$front"
        check_circles "$(includes "$1/fronts/$front")"
    done
}

# Lists of examples are not looked through: fuzz/corpus, tests/vectors.
check_folders() {
    (cd "$1" && find . -name build -prune -o -name '.?*' -prune -o \
        -path ./fuzz/corpus -prune -o -path ./tests/vectors -prune -o \
        -name node_modules -prune -o -name __pycache__ -prune -o \
        -type f -print) |
        sed 's,^\./,,; s,/[^/]*$,,' | sort | uniq -c |
        awk '$1 > 30 { print $2 " has " $1 " files" }'
}

# check PROJECT PART: part is src, fronts or folders.
check() {
    "check_$2" "$1"
}

project=$1
here=$(cd "$(dirname "$0")" && pwd)
shift
[ $# -gt 0 ] || set -- src fronts folders
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -d "$1/CMakeFiles" ]; then
    check_calls "$1" >"$work/found"
    cat "$work/found"
    [ ! -s "$work/found" ]

    # ---- planted: a call up, and a circle of three files ----

    for call in 'base/sort set/add seenset_add' \
        'table/bloom queue/open planted'; do
        # shellcheck disable=SC2086  # three words
        set -- $call "$1"
        printf 'a.dir/src/%s.c.o: %s U\n' "$1" "$3" >"$work/planted.nm"
        printf 'a.dir/src/%s.c.o: %s T 0 1\n' "$2" "$3" >>"$work/planted.nm"
        check_calls "$4" | grep -q "^$1 calls $2" || {
            echo "planted: $1 that calls $2 is not found"
            exit 1
        }
        shift 3
    done
    exit
fi
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
        planted src/set/figures/stats.c algebra.h 'not in a room'
        planted src/base/clock.h base/io.h 'a circle'
        ;;
    fronts)
        planted fronts/cli/sets/lock.c set/set.h 'not its own, not public'
        planted fronts/cli/sets/lock.c base/io.h 'not its own, not public'
        planted fronts/cli/system/windows/path.c set/set.h \
            'not its own, not public'
        planted fronts/cli/report/complain.h text/options.h 'a circle'
        ;;
    folders)
        mkdir -p "$work/crowded/src/base"
        for i in $(seq 31); do
            : >"$work/crowded/src/base/$i.c"
        done
        check "$work/crowded" folders | grep -q 'src/base has 31 files' || {
            echo "planted: a folder of 31 files is not found"
            exit 1
        }
        ;;
    esac
done
