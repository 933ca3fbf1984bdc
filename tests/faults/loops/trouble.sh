# shellcheck shell=bash
# What happens to a loop. In the end of each it is run until nothing is left,
# and what was lost or done again is counted.

# settle_and_judge: each interruption may have the last batch done again.
settle_and_judge()
{
    settle
    judge $((interrupted * batch))
}

# Time goes on after an interruption: leases end.
interrupt()
{
    interrupted=$((interrupted + 1))
    pass 1000
}

a_moment()
{
    sleep "0.$(printf '%03d' $((RANDOM % 200)))"
}

undisturbed()
{
    settle_and_judge
    run_well # there is nothing left to do
    judge 0
}

# Killed before its first call of seenset, its second, its third, ...
killed_between()
{
    for kill_at in $(seq $((12 * rounds))); do
        run
        [[ $status == 137 ]] || break
        interrupt
    done
    settle_and_judge
}

# killed_by SIGNAL...: at moments that fall into anything.
killed_by()
{
    local signal
    for signal; do
        start
        a_moment
        send "$signal" || :
        finish
        interrupt
    done
    settle_and_judge
}

killed()
{
    # shellcheck disable=SC2046 # words
    killed_by $(yes KILL | head -n $((4 * rounds)))
}

signalled() { killed_by INT TERM HUP PIPE; }

# From the n-th call on, all that a command asks of the disk fails.
full_disk_in_seenset()
{
    for faulty_at in $(seq 1 $((rounds > 1 ? 1 : 9)) 60); do
        run
        interrupt
    done
    settle_and_judge
}

# A disk of 4 MiB, filled at any moment, and emptied again.
full_disk()
{
    local times
    [[ ! -e $home/urls ]] || cp "$home/urls" "$box"
    mount -t tmpfs -o size=4m tmpfs "$home" 2>/dev/null || {
        counted='left out: there is no small disk to be had'
        return
    }
    mounted=$home
    [[ ! -e $box/urls ]] || cp "$box/urls" "$home"
    for times in $(seq $((2 + rounds))); do
        start
        [[ $times == 1 ]] || a_moment
        head -c 9999999 /dev/zero >"$home/ballast" 2>/dev/null || :
        finish
        rm "$home/ballast"
        interrupt
    done
    settle_and_judge
    umount -l "$mounted"
    mounted=''
}

# The machine is started anew, and its wall clock is a year ahead, or a day
# behind, from then on.
rebooted()
{
    local error
    for error in 0 31536000 -86400 0; do
        start
        a_moment
        send KILL || :
        finish
        interrupted=$((interrupted + 1))
        reboot
        set_wall $error
    done
    settle_and_judge
}

# Another loop on the same queue, in a folder of its own.
with_a_second_worker()
{
    local first second
    start
    first=$running
    until queue stat "$home/crawl" >/dev/null 2>&1; do sleep 0.01; done
    mkdir "$box/other"
    ln -s "$home/crawl" "$box/other/crawl"
    [[ ! -e $home/urls ]] || cp "$home/urls" "$box/other"
    home=$box/other start
    second=$running
    for running in "$first" "$second"; do
        finish
        [[ $status == 0 ]] || fail "a worker ends with status $status"
    done
    settle_and_judge
}

# `queue stat` all the time, from when there is a queue.
looked_at()
{
    (
        until queue stat "$home/crawl" >/dev/null 2>&1; do :; done
        while queue stat "$home/crawl" >/dev/null 2>"$box/look"; do :; done
    ) &
    looker=$!
    settle_and_judge
    kill -0 "$looker" 2>/dev/null || fail "stat fails: $(cat "$box/look")"
    kill -9 "$looker"
    looker=''
}

# What a console shows: 1000 new lines, then none.
shown()
{
    run_well
    [[ $(tr '\n' ' ' <"$box/out") == '1000 0 ' ]] || fail "$(cat "$box/out")"
    counted='all lines printed once'
}

# What was given back comes again when its time is over, and not before.
refused_at_first()
{
    run_well
    local asked
    asked=$(wc -l <"$witness")
    pass 500
    run_well
    [[ $(wc -l <"$witness") == "$asked" ]] || fail 'it came again too early'
    pass 200
    settle_and_judge
}
