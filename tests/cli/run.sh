#!/bin/bash
# Runs the tests of the command.
#
#     run.sh FOLDER [NAME...]     FOLDER holds the built `seenset`
#
# A test is NAME.sh, run by sh in an empty folder of its own with the command
# first on PATH. Beside it lie what it must do:
#
#     NAME.sh.stdout.exact   its standard output, byte for byte
#     NAME.sh.stdout.glob    the same as shell patterns, line by line; a line
#                            "..." stands for any lines, or none
#     NAME.sh.stderr.exact, NAME.sh.stderr.glob
#     NAME.sh.exit           its exit status
#
# A test with "# needs: clock" at its top sets the time; clock.sh says how.
#
# Without them: any standard output, no standard error, exit status 0. Before
# the tests the runner tries itself on faults/, every one of which must fail.

here=$(cd "$(dirname "$0")" && pwd)
LC_ALL=C
export LC_ALL

# In a case, unlike in [[ ]], "*(" is a star and a parenthesis.
matches()
{
    # shellcheck disable=SC2254  # $2 is a pattern
    case $1 in
    $2) return 0 ;;
    *) return 1 ;;
    esac
}

# Whether the lines of file $1 match the patterns of file $2.
matches_globs()
{
    local -a lines patterns
    mapfile -t lines <"$1"
    mapfile -t patterns <"$2"
    local i=0 skips=0 pattern
    for pattern in "${patterns[@]}"; do
        if [[ $pattern == "..." ]]; then
            skips=1
            continue
        fi
        while ((skips && i < ${#lines[@]})) &&
            ! matches "${lines[i]}" "$pattern"; do
            ((i += 1))
        done
        ((i < ${#lines[@]})) && matches "${lines[i]}" "$pattern" || return 1
        ((i += 1))
        skips=0
    done
    ((skips || i == ${#lines[@]}))
}

# check_stream TEST STREAM ACTUAL: says what differs, or nothing.
check_stream()
{
    if [[ -e $1.$2.exact ]]; then
        cmp -s "$1.$2.exact" "$3" || diff -a "$1.$2.exact" "$3" | head -n 20
    elif [[ -e $1.$2.glob ]]; then
        matches_globs "$3" "$1.$2.glob" ||
            { echo "$2 does not match $1.$2.glob; it was:" && cat "$3"; }
    elif [[ $2 == stderr && -s $3 ]]; then
        echo "stderr should be empty; it was:" && cat "$3"
    fi
}

# run_test TEST: prints what went wrong; nothing means that it passed.
run_test()
{
    local test=$1 expected=0 status
    local box=$scratch/box
    rm -rf "$box"
    mkdir "$box"
    [[ -e $test.exit ]] && expected=$(<"$test.exit")
    (cd "$box" && timeout 300 sh "$test") \
        >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
    status=$?
    if [[ $status -ne $expected ]]; then
        echo "exit status $status instead of $expected"
        # A test without expectations of its own says on stdout what it saw.
        tail -n 5 "$scratch/stdout"
    fi
    check_stream "$test" stdout "$scratch/stdout"
    check_stream "$test" stderr "$scratch/stderr"
}

report()
{
    if [[ $2 == ok ]]; then
        echo "ok    $1"
        passed=$((passed + 1))
    else
        echo "FAIL  $1"
        [[ -z $3 ]] || printf '      %s\n' "${3//$'\n'/$'\n      '}"
        failed=$((failed + 1))
    fi
}

if [[ ! -x $1/seenset ]]; then
    echo "usage: run.sh FOLDER [NAME...]; no seenset in '$1'" >&2
    exit 2
fi
PATH=$(cd "$1" && pwd):$PATH
SEENSET_TEST_CLOCK=$here/clock.sh
SEENSET_TEST_CLOCK_LIBRARY=$(cd "$1" && pwd)/tests/libtestclock.so
export PATH SEENSET_TEST_CLOCK SEENSET_TEST_CLOCK_LIBRARY
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0
failed=0

for test in "$here"/faults/*.sh; do
    name=runner_catches_$(basename "$test" .sh)
    if [[ -n $(run_test "$test" 2>/dev/null) ]]; then
        report "$name" ok
    else
        report "$name" bad "the runner let this fault pass"
    fi
done

if (($# > 0)); then
    tests=("${@/#/$here/}")
    tests=("${tests[@]/%/.sh}")
else
    tests=("$here"/*_*.sh)
fi
for test in "${tests[@]}"; do
    if [[ ! -e $SEENSET_TEST_CLOCK_LIBRARY ]] &&
        head -n 10 "$test" | grep -q '^# needs: clock'; then
        echo "left out  $(basename "$test" .sh): its clock cannot be loaded"
        continue
    fi
    wrong=$(run_test "$test" 2>&1 | tr -d '\0')
    if [[ -z $wrong ]]; then
        report "$(basename "$test" .sh)" ok
    else
        report "$(basename "$test" .sh)" bad "$wrong"
    fi
done

echo "$passed passed, $failed failed"
((failed == 0))
