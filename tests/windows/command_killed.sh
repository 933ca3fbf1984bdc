#!/bin/sh
# Kills `dedup --set` and `add` at any moment, and looks at the file: it is the
# old one or the new one, whole, and has every key of the commands that ended.
#
#     command_killed.sh SEENSET CHECKER TIMES
#
# SEENSET is what is killed, and CHECKER a seenset that looks at the files; both
# are programs of one process. A set is small, or large: then a command that
# makes journals adds to it by one. The moments, TIMES in all, are spread over a
# whole run of each way and a quarter more. After each tenth kill the same
# command has to end, and to leave nothing else in the folder.
set -eu
seenset=$1
checker=$2
times=$3
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
cd "$box"

seq 1 20000 >old
seq 20001 40000 >new

# run WAY: what is killed, and works on the set `seen`.
run() {
    case $1 in
    dedup) exec "$seenset" dedup --set seen new >/dev/null ;;
    *) exec "$seenset" add seen --from new ;;
    esac
}

# make WAY: the set before, in `before`.
make() {
    mkdir before
    case $1 in
    large) "$checker" new before/seen -n 5M ;;
    *) "$checker" new before/seen -n 50k -p 1e-6 ;;
    esac
    "$checker" add before/seen --from old
}

put_back() {
    rm -rf seen*
    cp before/seen* .
}

# Says what is wrong with the set `seen`; nothing, if all is well.
wrong() {
    "$checker" verify seen >verified 2>&1 || cat verified
    "$checker" has seen --from old 2>&1 | cmp - old 2>&1 || :
    found=$("$checker" has seen --from new 2>/dev/null | wc -l)
    # of 20,000 other keys, far less than ten are found by chance
    [ "$found" -lt 10 ] || [ "$found" = 20000 ] ||
        echo "$found of the new keys are there"
    [ "$found" = 20000 ] || is_new=no
}

# The time of a whole run, in ms.
measure() {
    start=$(date +%s%N)
    (run "$1")
    echo $((($(date +%s%N) - start) / 1000000 + 1))
}

# end_run WAY: the same command ends, and leaves no other file.
end_run() {
    (run "$1") || echo "the next run failed"
    is_new=yes
    wrong
    [ $is_new = yes ] || echo "the next run has added nothing"
    for file in seen*; do
        case $file in
        seen | seen.log) ;;
        *) echo "$file was left" ;;
        esac
    done
}

# kill_at WAY MS: and what is wrong after it.
kill_at() {
    put_back
    (run "$1") &
    sleep "$(printf '%d.%03d' $(($2 / 1000)) $(($2 % 1000)))"
    kill -9 $! 2>/dev/null || :
    wait $! 2>/dev/null || :
    wrong
}

failed=0
fail() {
    echo "killed: $1" >&2
    failed=1
}

for way in dedup add large; do
    rm -rf before
    make $way
    put_back
    whole=$(measure $way)
    rounds=$(((times + 2) / 3))
    olds=0
    for round in $(seq $rounds); do
        ms=$((round * whole * 5 / 4 / rounds))
        is_new=yes
        said=$(kill_at $way $ms; echo "$is_new" >is_new)
        [ "$(cat is_new)" = yes ] || olds=$((olds + 1))
        [ $((round % 10)) != 0 ] || said=$said$(end_run $way)
        [ -z "$said" ] || fail "$way after $ms of $whole ms: $said"
    done
    echo "$way: $rounds kills, $olds times the old set," \
        "$((rounds - olds)) the new"
done

# ---- planted: what may not be is seen ----

planted() {
    [ -n "$(wrong)" ] || fail "planted: $1 is not seen"
}
put_back
head -c -1 before/seen >seen
planted "a file without its end"
rm -f seen*
"$checker" new seen -n 5M
head -n 19999 old | "$checker" add seen
planted "a key that is lost"
put_back
head -n 10000 new | "$checker" add seen
planted "half of what was added"
[ $failed = 0 ]
