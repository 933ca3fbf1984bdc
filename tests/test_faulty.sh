#!/bin/sh
# Every system call of the command fails once, and with all that follow it:
# with EIO, ENOSPC and EINTR, or by doing half of its work. The command must
# then end with status 2 and say why, or have done what it should. Set files
# are whole, the old or the new; nothing else lies beside them; queues lose
# nothing.
#
#     test_faulty.sh seenset faulty.so [every n-th call: 1]
set -eu
export LC_ALL=C
seenset=$1
faulty=$2
stride=${3:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
runs=0

wrong() {
    echo "test_faulty: $name, call $at, errno $errno $lasting: $1" >&2
    cat err >&2
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
do_dedup() { $fault "$seenset" dedup --threads 1 --set set <../input; }
do_add() { $fault "$seenset" add set <../input; }
do_merge() { $fault "$seenset" merge set set more; }
do_has() { $fault "$seenset" has set 1 2 3; }
do_push() { $fault "$seenset" queue push queue <../urls; }
do_later() { $fault "$seenset" queue push --durability none queue <../urls; }
do_pop() { $fault "$seenset" queue pop -n 20 --lease 0.001 --ack queue; }

# ---- what must hold afterwards ----

whole_set() {
    "$seenset" verify set >/dev/null 2>>../err || wrong 'the set is not whole'
    [ "$("$seenset" has set <../old | wc -l)" = 3000 ] ||
        wrong 'keys were forgotten'
}

# What was handed out and what still is are all that was pushed.
whole_queue() {
    "$seenset" queue push queue <../urls 2>>../err || wrong 'it does not go on'
    "$seenset" queue pop -n 1000 --ack queue >../popped 2>>../err ||
        wrong 'nothing comes out'
    [ -z "$(sort ../popped | uniq -d)" ] || wrong 'an item came twice'
    cut -d / -f 4 ../popped ../out | sort -u >../came
    comm -13 ../came ../due >../lost
    [ ! -s ../lost ] || wrong 'items were lost'
}
{ seq 51 300 && head -n 400 input; } | sort -u >due

is_as_it_should() {
    case $status in
    0) cmp -s ../out ../good || wrong 'it succeeds with another output' ;;
    2) [ -s ../err ] || wrong 'it fails and does not say why' ;;
    *) wrong "it ends with status $status" ;;
    esac
    [ "$(echo *)" = 'more queue set' ] || wrong "there is $(echo *)"
    case $name in
    push | later | pop) whole_queue ;;
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
for name in dedup add merge has push later pop; do
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
done

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
status=0
rm queue/log-*
caught whole_queue
cd ..
echo "$runs runs"
