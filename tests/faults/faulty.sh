#!/bin/sh
# Every system call of the command fails once, and with all that follow it:
# with EIO, ENOSPC and EINTR, or by doing half of its work. So does every malloc,
# once. The command must
# then end with status 2 and say why, or have done what it should. Set files
# are whole, the old or the new; nothing else lies beside them; queues lose
# nothing. What is printed is on the disk before it counts as seen.
#
#     faulty.sh seenset libfaulty.so [every n-th call: 1]
#
# libtestclock.so is found beside libfaulty.so.
set -eu
export LC_ALL=C
seenset=$1
faulty=$2
clock=${2%/*}/libtestclock.so
stride=${3:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
runs=0

wrong() {
    echo "test_faulty: $name, call $at, errno $errno $lasting: $1" >&2
    cat "$work/err" >&2
    exit 1
}

# ---- what the commands work on ----

seq 1 3000 >old
seq 2000 6000 >input
mkdir fresh
"$seenset" dedup --set fresh/set -n 20k <old >/dev/null
"$seenset" dedup --set fresh/more -n 20k <input >/dev/null
sed 's:^:http\://a.example/:' old | head -n 300 |
    "$seenset" queue push -n 20k fresh/queue
"$seenset" queue pop -n 50 --ack fresh/queue >/dev/null

sed 's:^:http\://a.example/:' input | head -n 400 >urls

# Each under $fault, in a copy of what is in `fresh`.
do_dedup() { $fault "$seenset" dedup --threads 1 --set set "$@" <../input; }
do_add() { $fault "$seenset" add set <../input; }
do_merge() { $fault "$seenset" merge set set more; }
do_has() { $fault "$seenset" has set 1 2 3; }
do_push() { $fault "$seenset" queue push queue <../urls; }
do_later() { $fault "$seenset" queue push --durability none queue <../urls; }
do_pop() { $fault "$seenset" queue pop -n 20 --ack queue; }
do_lease() { $fault "$seenset" queue pop -n 20 queue; }

# ---- what must hold afterwards ----

whole_set() {
    "$seenset" verify set >/dev/null 2>>../err || wrong 'the set is not whole'
    [ "$("$seenset" has set <../old | wc -l)" = 3000 ] ||
        wrong 'keys were forgotten'
}

# Each lease that was printed, up to the end of its line, holds, whatever
# failed then. After an error nothing else that was printed is to be used.
leases_hold() {
    [ "$name" = lease ] || return 0
    while read -r line; do echo "$line"; done <../out |
        "$seenset" queue nack queue 2>>../err || wrong 'a printed lease is void'
    : >../out
}

# An hour later, when leases that could not be given back have ended.
echo 'wall 3600 steady 3600' >an_hour
pop_the_rest() {
    TESTCLOCK=$work/an_hour LD_PRELOAD=$clock \
        "$seenset" queue pop -n 1000 --ack queue >>../popped 2>>../err ||
        return 1
    cut -d / -f 4 ../popped ../out | sort -u >../came
    comm -13 ../came ../due >../lost
}

# What was handed out and what still is are all that was pushed.
whole_queue() {
    : >../popped
    "$seenset" queue push queue <../urls 2>>../err || wrong 'it does not go on'
    pop_the_rest || wrong 'nothing comes out'
    [ -z "$(sort ../popped | uniq -d)" ] || wrong 'an item came twice'
    [ ! -s ../lost ] || wrong 'items were lost'
}
{ seq 51 300 && head -n 400 input; } | sort -u >due

is_as_it_should() {
    case $status in
    0) cmp -s ../out ../good || wrong 'it succeeds with another output' ;;
    2) [ -s ../err ] || wrong 'it fails and does not say why' ;;
    *) wrong "it ends with status $status" ;;
    esac
    there=$(ls -A | tr '\n' ' ')
    [ "$there" = 'more queue set ' ] || wrong "there is $there"
    case $name in
    push | later | pop | lease)
        # Only of a failed sync nobody knows what it has done.
        [ "$name,$status" != pop,2 ] || grep -q 'a sync failed' ../err ||
            : >../out
        leases_hold
        whole_queue
        ;;
    *) whole_set ;;
    esac
}

# ---- one fault after the other ----

# Runs do_$name with call number $at failing; false if it makes fewer calls.
try() {
    rm -rf now hit
    cp -r fresh now
    cd now
    fault="env FAULTY_AT=$at FAULTY_ERRNO=$errno FAULTY_HIT=$work/hit"
    [ "$errno" != memory ] ||
        fault="env FAULTY_MALLOC=$at FAULTY_HIT=$work/hit"
    fault="$fault $lasting LD_PRELOAD=$faulty"
    status=0
    "do_$name" >../out 2>../err || status=$?
    runs=$((runs + 1))
    if [ -e ../hit ]; then
        is_as_it_should
    fi
    cd ..
    [ -e hit ]
}

try_all() {
    at=1
    while try; do
        at=$((at + stride))
    done
    [ "$at" -gt 5 ] || wrong 'it makes no calls'
}

# EIO, ENOSPC, and 0 for half the work. EINTR for ever would be obeyed for ever.
for name in dedup add merge has push later pop lease; do
    at=0 errno=0 lasting= fault=
    cp -r fresh good_now
    (cd good_now && "do_$name") >good 2>/dev/null
    rm -rf good_now
    for errno in 5 28 0; do
        for lasting in '' FAULTY_LASTING=1; do
            try_all
        done
    done
    errno=4 lasting=
    try_all
    errno=memory
    try_all
done

# ---- no memory for the words ----

# No command does anything, or ends without a word, if the first calls of malloc
# fail: what reads the words has its memory from them.
do_words() { $fault "$seenset" $words <../input; }
words_are_known() {
    name="words of $words" errno=memory lasting= fault=
    rm -rf now && cp -r fresh now
    (cd now && do_words) >good 2>/dev/null || true
    for at in 1 2 3 4 5 6; do
        rm -rf now hit && cp -r fresh now && cd now
        fault="env FAULTY_MALLOC=$at FAULTY_HIT=$work/hit LD_PRELOAD=$faulty"
        status=0
        do_words >../out 2>../err || status=$?
        cd ..
        runs=$((runs + 1))
        [ "$status" = 2 ] && [ -s err ] || cmp -s out good ||
            wrong "it ends with status $status"
        [ "$status" -lt 3 ] || wrong 'it crashes'
    done
}
while read -r words; do
    words_are_known
done <<EOF
dedup
dedup --set set ../input
new made -n 1k
add set ../input
has set 1 2
info set
count -n 10k ../input
merge made set more
intersect made set more
diff set more
similarity set more
verify set
seal made ../input
compact set
plan -n 1k
queue push queue
queue pop queue
queue ack queue 1
queue nack queue 1
queue stat queue
queue list queue
queue peek queue
queue verify queue
EOF

# ---- the order in which things reach the disk ----

# Each line printed is on the disk before the set that has it takes its name.
in_order() {
    sed 's/ *$//' ../trail |
        awk '$0 == "write 1" { synced = 0; printed = 1 }
             $0 == "fsync 1" { synced = 1 }
             $0 == "rename" { renames++; early += printed && !synced }
             END { exit !(printed && renames == 1 && early == 0) }'
}
name=order at=0 errno=0 lasting=
rm -rf now trail && cp -r fresh now && cd now
fault="env FAULTY_TRAIL=$work/trail LD_PRELOAD=$faulty"
do_dedup >../out 2>../err
in_order || wrong 'the set was saved before its lines were on the disk'
sed -i '/^fsync 1/d' ../trail
! in_order || wrong 'planted: a set that was saved too early is not caught'
# A pipe has no disk, and that is not an error.
{ do_dedup -c || echo failed; } 2>../err | grep -q failed && wrong 'a pipe'
cd ..

# ---- the planted faults: the checks see a set that was written in place ----

caught() {
    ! ("$@") >/dev/null 2>&1 || {
        echo "test_faulty: $* was not caught" >&2
        exit 1
    }
}
name=planted at=0 errno=0 lasting=
rm -rf now && cp -r fresh now && cd now
head -c 5000 set >half && mv half set
caught whole_set
cp ../fresh/more set
caught whole_set
cp ../out ../good
: >../err
status=2
caught is_as_it_should
status=0 name=lease
printf '256\thttp://a.example/1\n' >../out
caught leases_hold
: >../out
rm queue/log-*
caught whole_queue
cd ..
echo "$runs runs"
