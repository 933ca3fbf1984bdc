# Time, for tests of the command. A test says, within its first ten lines,
#
#     # needs: clock
#     . "$SEENSET_TEST_CLOCK"
#
# and is left out by run.sh where the library below cannot be loaded
# (sanitizers). From there on every `seenset` it starts sees the time that
# these functions make, and time passes besides as it always does:
#
#     pass SECONDS        so much later: both clocks go on
#     set_wall SECONDS    the wall clock is so far off (31536000: a year ahead)
#                         from now on; the steady clock does not notice
#     reboot [SECONDS]    the machine was down for so long (0): another boot,
#                         whose steady clock begins at 5 seconds
#     stand SECONDS       the steady clock is there, and does not go on
#
# shellcheck shell=sh

passed=0      # seconds, by the steady clock of the machine
wall_error=0  # of the wall clock
steady=0      # what the steady clock is ahead of the machine's
boot=0
stands=0     # 1: it does not go on

# The file is replaced, as a command that runs may read it at any moment.
write_clock()
{
    echo "wall $((passed + wall_error)) steady $steady boot $boot" \
        "stands $stands" >"$TESTCLOCK.new"
    mv "$TESTCLOCK.new" "$TESTCLOCK"
}

pass()
{
    passed=$((passed + $1))
    steady=$((steady + $1))
    write_clock
}

set_wall()
{
    wall_error=$1
    write_clock
}

reboot()
{
    read -r up _ </proc/uptime
    passed=$((passed + ${1:-0}))
    boot=$((boot + 1))
    steady=$((5 - ${up%%.*}))
    write_clock
}

stand()
{
    stands=1
    steady=$1
    write_clock
}

TESTCLOCK=$PWD/../testclock
export TESTCLOCK
write_clock
seenset()
{
    LD_PRELOAD=$SEENSET_TEST_CLOCK_LIBRARY command seenset "$@"
}
