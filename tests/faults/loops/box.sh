# shellcheck shell=bash
# A loop in a folder of its own, and what can happen to it: it is killed, the
# disk fills up, the machine is started anew, time passes.
#
# Each `seenset` that the loop calls is counted, can be the one before which
# the loop is killed, or one whose system calls fail; errors are kept. Time is
# what the library of clock_preload.c makes of it.

# make_box NAME LOOP: the folder $box with the file `loop` to run in it.
make_box()
{
    box=$work/$1
    home=$box/home
    rm -rf "$box"
    mkdir -p "$box/bin" "$home"
    cp "$2" "$box/loop"
    cat >"$box/bin/seenset" <<'WRAPPER'
#!/bin/sh
calls=$(($(cat "$LOOP_BOX/calls") + 1))
echo $calls >"$LOOP_BOX/calls"
[ "$calls" != "$LOOP_KILL_AT" ] || kill -9 0
preload=$LOOP_CLOCK
if [ -n "$LOOP_FAULTY_AT" ]; then
    preload="$LOOP_FAULTY $LOOP_CLOCK"
    export FAULTY_AT="$LOOP_FAULTY_AT" FAULTY_ERRNO=28 FAULTY_LASTING=1
fi
LD_PRELOAD=$preload "$LOOP_SEENSET" "$@"
status=$?
[ $status -lt 2 ] || echo "$1 $2: status $status" >>"$LOOP_BOX/errors"
exit $status
WRAPPER
    chmod +x "$box/bin/seenset"
    export LOOP_BOX=$box TESTCLOCK=$box/clock
    kill_at='' faulty_at='' runs=0
    passed=0 wall_error=0 steady=0 boot=0
    write_clock
}

# ---- time, as in tests/cli/clock.sh ----

write_clock()
{
    echo "wall $((passed + wall_error)) steady $steady boot $boot" >"$TESTCLOCK"
}

pass()
{
    passed=$((passed + $1)) steady=$((steady + $1))
    write_clock
}

set_wall()
{
    wall_error=$1
    write_clock
}

reboot()
{
    local up
    read -r up _ </proc/uptime
    boot=$((boot + 1)) steady=$((5 - ${up%%.*}))
    write_clock
}

# ---- a run ----

# start: begins a run of the loop in the background, in a session of its own.
start()
{
    runs=$((runs + 1))
    echo 0 >"$box/calls"
    : >"$box/errors"
    : >"$box/err"
    (
        cd "$home" || exit
        export PATH=$box/bin:$PATH LOOP_KILL_AT=$kill_at \
            LOOP_FAULTY_AT=$faulty_at
        exec setsid env --default-signal=INT,HUP,TERM,PIPE sh "$box/loop" \
            >>"$box/out" 2>"$box/err" </dev/null
    ) &
    running=$!
}

# finish: waits for its end; sets status. A run that ended well met no error,
# and one that met an error says so on standard error. After a signal a command
# may outlive its shell for a moment, to save its set.
finish()
{
    local again
    status=0
    wait "$running" 2>/dev/null || status=$?
    for again in $(seq 500); do
        [[ -n $(ps -o stat= -g "$running" | grep -v '^Z') ]] || break
        sleep 0.01
    done
    if [[ $status == 0 && -s $box/errors ]]; then
        fail "it ends as if all were well after $(head -n 1 "$box/errors")"
    fi
    if [[ $status != 0 && $status -lt 128 && ! -s $box/err ]]; then
        fail "it ends with status $status and does not say why"
    fi
}

run()
{
    start
    finish
}

# send SIGNAL: to all processes of the run at once, as a terminal does it.
send()
{
    kill -s "$1" -- "-$running" 2>/dev/null
}

# In the command's own time, and without being counted.
queue()
{
    LD_PRELOAD=$LOOP_CLOCK "$LOOP_SEENSET" queue "$@"
}

# run_well: a run to which nothing happens ends well.
run_well()
{
    run
    [[ $status == 0 ]] || fail "it ends with status $status: $(cat "$box/err")"
}

# settle: runs it again, with 1,000 seconds in between, until all is done.
settle()
{
    local round
    for round in 1 2 3 4 5; do
        kill_at='' faulty_at='' run_well
        "$is_done" && return
        pass 1000
    done
    fail "after $round more runs it is not done"
}

# queue_is_done: what the loop works on has nothing left.
queue_is_done()
{
    local left
    left=$(queue stat --json "$box/home/crawl" |
        grep -oE '"(pending|leased)":[0-9]+') || fail 'no queue'
    [[ $left == $'"pending":0\n"leased":0' ]]
}
