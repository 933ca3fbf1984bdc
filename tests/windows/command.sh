#!/bin/sh
# seenset.exe beside the command for Linux: the same input gives the same bytes,
# in files and on standard output; and what is the system's own: names in UTF-8,
# Ctrl-C, a pipe that nobody reads, locks, what is left of a killed command.
#
#     command.sh SEENSET LINUX_SEENSET
#
# Both are programs of one process. Prints a line for each check that fails, and
# how many there were.
set -eu
windows=$1
linux=$2
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
cd "$box"
mkdir w l
temporary=${TMPDIR:-/tmp} # wine's own folder is in it, too
checks=0 failed=0

# check WHAT COMMAND...: does the command succeed?
check() {
    what=$1
    shift
    checks=$((checks + 1))
    "$@" >said 2>&1 && return 0
    failed=$((failed + 1))
    printf 'FAIL  %s\n' "$what"
    head -n 5 said
}

is() {
    [ "$1" = "$2" ] || { echo "'$1', not '$2'"; return 1; }
}

# both WHAT SCRIPT: runs the script in w and l with $seenset as each command;
# what they print and leave there has to be the same.
both() {
    for side in w l; do
        seenset=$windows
        [ $side = w ] || seenset=$linux
        (cd $side && eval "$2") >$side.out 2>$side.err </dev/null ||
            echo "status $?" >>$side.out
    done
    check "$1: what it prints" cmp w.out l.out
    check "$1: its messages" cmp w.err l.err
    check "$1: its files" same_files
}

# Do two files differ in nothing but the checksum of the header and the last two
# bytes of a double in it? A table that grows notes its rate, a number for
# people, by the C library's exp and log.
differs_in_digits() {
    cmp -l "$1" "$2" | awk '
        $1 > 120 && $1 <= 128 || $1 > 144 && $1 < 1024 && ($1 - 1) % 8 < 2 {
            next
        }
        { exit 1 }'
}

# Are the files in w and l the same?
same_files() {
    for file in w/* l/*; do
        name=${file#?/}
        [ "$(wc -c <"w/$name")" = "$(wc -c <"l/$name")" ] || return 1
        cmp "w/$name" "l/$name" || differs_in_digits "w/$name" "l/$name" ||
            return 1
    done
}

# The files of long lines: the letters are those that the command chooses of.
spills() {
    ls "$temporary" | grep -xE 'seenset-[0-9a-v]{6}' || :
}

# until_true COMMAND...: for 30 s at most.
until_true() {
    for _ in $(seq 300); do
        "$@" 2>/dev/null && return 0
        sleep 0.1
    done
    return 1
}

seq 1 30000 >first
seq 20001 60000 >second

# ---- the same bytes ----

for layout in bloom blocked split_block counting fingerprint; do
    both "new and add, $layout" "
        \$seenset new $layout -n 20k -p 1e-3 --layout $layout --on-full degrade
        \$seenset add $layout --from ../first"
done
both "a set that grows" '
    $seenset new grown -n 100 -p 1e-4
    $seenset add grown <../first
    $seenset has -v grown <../second | tail -n 3'
both "dedup --set" '
    $seenset dedup --set seen <../first | cksum
    $seenset dedup --set seen -o new --repeats-to again ../second'
both "merge" '
    $seenset new a -n 50k; $seenset add a --from ../first
    $seenset new b -n 50k; $seenset add b --from ../second
    $seenset merge --out c a b
    $seenset intersect --out d a b
    $seenset similarity a b; $seenset info c'
both "a keyed set" '
    echo 000102030405060708090a0b0c0d0e0f >secret; chmod 600 secret
    $seenset new keyed --keyed --secret-file secret -n 5k
    $seenset add keyed --secret-file secret a b
    $seenset has keyed --secret-file secret a b c
    $seenset has keyed a'
both "seal" '$seenset seal sealed --seed 7 --from ../first
    $seenset has sealed <../second | tail -n 1'
both "plan" '$seenset plan -n 1000000 -p 1e-3; $seenset plan -n 1e9 | head -n 9'
both "damage" '
    { head -c 3000 bloom; echo damage; tail -c +3008 bloom; } >damaged
    $seenset verify damaged bloom'
both "wrong use" '$seenset dedup --sett; $seenset has; $seenset help nothing'
printf 'a\r\nb\032\r\n\n\r\na\r\n\0\n\377\n\n' >binary
both "bytes that are no text" '$seenset dedup ../binary
    $seenset dedup <../binary; cat ../binary | $seenset dedup -0'
gzip -c first >first.gz
both "gzip" '$seenset dedup -z ../first.gz | cksum; $seenset dedup ../first.gz'

# ---- words and names ----

both "names and keys in UTF-8, and patterns that stay" '
    $seenset new "sü 日.set" -n 100
    $seenset add "sü 日.set" "日本" "*" "?" "a b" "c\"d\\" "" "e\\\\\"f"
    $seenset has "sü 日.set" "日本" "*" "?" "a b" "c\"d\\" "" "e\\\\\"f" "x*"
    $seenset add ./nowhere/ü a; $seenset info ..; $seenset has ü.set a'
drive=$(printf 'Z:%s/w/s\303\274 \346\227\245.set' "$box" | tr / '\\')
"$windows" has "$drive" a b "日本" >found 2>&1 || :
check "a path with a drive and backslashes" is "$(cat found)" 日本

# ---- statuses ----

status=0
"$windows" has w/bloom nothing >/dev/null || status=$?
check "nothing found is 1" is $status 1
status=0
"$windows" queue push q >refused 2>&1 || status=$?
check "no queue is 2" is $status 2
check "no queue is said" grep -q 'built without the queue' refused
check "in one line" is "$(wc -l <refused)" 1
"$windows" --version >version
check "--version lists it" grep -q 'without: queue ' version
status=0
"$windows" info w/bloom >&- 2>said || status=$?
check "a closed standard output is 2" is $status 2

# ---- a pipe that nobody reads ----

for script in 'dedup <second' 'plan -n 1000000' 'has -v w/bloom <second'; do
    # shellcheck disable=SC2086 # words are meant
    (status=0
    eval "\"$windows\" $script" 2>quiet || status=$?
    echo $status >status) | true
    check "$script: a pipe that nobody reads is not told of" cmp quiet /dev/null
done
seq 3000000 | "$windows" dedup 2>quiet | head -n 1 >said
check "its first line came" is "$(cat said)" 1
check "and no word after it" cmp quiet /dev/null

# ---- input that waits, Ctrl-C, locks ----

mkfifo in
"$windows" dedup --set asked --save-every 1lines <in >out 2>stopped &
pid=$!
exec 3>in
printf 'one\nhal' >&3
check "lines come while the input waits" until_true grep -q one out
check "and are saved" until_true "$linux" has -q asked one
status=0
"$windows" add asked two >refused 2>&1 || status=$?
check "a second writer is refused" is $status 2
check "a second writer is told why" grep -q 'in use by another' refused
kill -INT $pid
status=0
wait $pid || status=$?
exec 3>&-
check "Ctrl-C ends it" is $status 130
check "Ctrl-C is told of" grep -q 'stopped by a signal' stopped
check "the set has what was read" "$linux" has -q asked one
"$windows" add asked two >/dev/null
check "the lock is free after it" "$linux" has -q asked two
check "Ctrl-C leaves no lock" test ! -e asked.lock

# ---- long lines, and what a kill leaves ----

{ head -c 9000000 /dev/zero | tr '\0' x; echo; echo y; } >long
both "a line that is longer than memory" \
    'cat ../long ../long | $seenset dedup | cksum'
check "its file is gone" is "$(spills)" ""
"$windows" dedup -o kept <in 2>/dev/null &
pid=$!
exec 3>in
head -c 9000000 /dev/zero | tr '\0' x >&3
has_files() {
    [ -n "$(spills; find . -name 'kept*')" ]
}
check "a long line is in a file" until_true has_files
kill -9 $pid
wait $pid 2>/dev/null || :
exec 3>&-
has_no_files() {
    ! has_files
}
check "a killed command leaves no file" until_true has_no_files

seq 200000 >lines
both "lines that a set calls seen by mistake" \
    '$seenset dedup --exact -n 1k --on-full degrade ../lines 2>&1 | cksum'
check "files of hashes and lines are gone" is "$(spills)" ""

# ---- a journal of Linux ----

"$linux" new large -n 5M
"$linux" add large one two
check "Linux made a journal" test -s large.log
"$windows" has large one two >said
check "its keys are read" is "$(cat said)" "one
two"
"$windows" compact large
check "it is folded" test ! -e large.log
check "and its keys are in the file" is "$("$linux" has large one two three)" "one
two"
"$linux" add large four
"$windows" add large five
check "adding takes them along" is "$("$linux" has large one four five)" "one
four
five"

# ---- planted ----

printf x >>w/bloom
if same_files >/dev/null 2>&1; then
    echo "FAIL  planted: another byte is not seen"
    failed=$((failed + 1))
fi
echo "$checks checks, $failed failed"
[ $failed = 0 ]
