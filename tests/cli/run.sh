#!/bin/bash
# Runs the tests of the command.
#
#     run.sh FOLDER [NAME...]     FOLDER has the built `seenset` in it; a NAME
#                                 is COMMAND/TEST, or COMMAND for all of its
#                                 tests; without any, all tests are run
#
# The tests of a command are in a folder of its name, or, where there are many,
# in folders by theme in it; a NAME does without the theme. Those of several
# commands are in the folder of what they share: general, lock, secret. A test
# is a file TEST.sh, which sh runs in an empty folder with the command first on
# PATH. The files beside it say what it must do:
#
#     TEST.sh.stdout.exact   its standard output, byte for byte
#     TEST.sh.stdout.glob    the same as shell patterns, line by line; a line
#                            "..." matches any number of lines
#     TEST.sh.stderr.exact, TEST.sh.stderr.glob
#     TEST.sh.exit           its exit status
#
# Without them: any standard output, no standard error, exit status 0. A test
# finds the project in $SEENSET_TEST_ROOT and golden files in
# $SEENSET_TEST_GOLDEN. A line "# needs: WORD..." at its top says what it cannot
# do without; where that is missing it is left out:
#
#     clock       a clock that the test sets, as clock.sh describes
#     png, yajl   libpng, libyajl
#     urls        normal forms of URLs
#     compressed  each library and program of compression
#     glibc       the texts, last digits and libraries of a build for glibc
#     limits      a limit of the size of files that no counts of gcov meet
#     speed       processes that start fast, for it starts hundreds: not where a
#                 sanitizer makes each ten times as slow
#     alone       nothing; but its commands have one thread each, and there is
#                 nothing to find for the thread sanitizer
#     signals     signals that come at once, to a command of several threads:
#                 the thread sanitizer keeps one that comes just before
#                 pthread_cond_wait until the thread wakes, which is never
#
# One that repeats one thing very often does a part of it where a sanitizer
# makes each process slow: it divides by $SEENSET_TEST_STEP, which is 1
# elsewhere. A system that lacks what tests need has a list of those,
# "NAME out REASON" a line, in $SEENSET_TEST_LEFT_OUT. Before the tests the
# runner tries itself on runner_faults/, where every test must fail.

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
SEENSET_TEST_ROOT=$(cd "$here/../.." && pwd)
SEENSET_TEST_GOLDEN=$SEENSET_TEST_ROOT/tests/vectors/golden
SEENSET_TEST_CLOCK=$here/clock.sh
SEENSET_TEST_CLOCK_LIBRARY=$(cd "$1" && pwd)/tests/libtestclock.so
export PATH SEENSET_TEST_ROOT SEENSET_TEST_GOLDEN
export SEENSET_TEST_CLOCK SEENSET_TEST_CLOCK_LIBRARY
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0
failed=0

for test in "$here"/runner_faults/*.sh; do
    name=runner_catches_$(basename "$test" .sh)
    if [[ -n $(run_test "$test" 2>/dev/null) ]]; then
        report "$name" ok
    else
        report "$name" bad "the runner let this fault pass"
    fi
done

# find_test COMMAND TEST: its path, in the folder or in a theme of it. A name
# that is nowhere is given back as a path, and its test fails.
find_test()
{
    local found
    found=$(find "$here/$1" -name "$2.sh" 2>/dev/null)
    echo "${found:-$here/$1/$2.sh}"
}

# list_tests [NAME...]: the paths of the tests of these names, or of all.
list_tests()
{
    local name
    if (($# == 0)); then
        find "$here" -path "$here/*/*.sh" ! -path '*/runner_faults/*' \
            ! -path '*/completions/*' | sort
    fi
    for name; do
        if [[ -d $here/$name ]]; then
            find "$here/${name%/}" -name '*.sh' | sort
        else
            find_test "${name%%/*}" "${name##*/}"
        fi
    done
}

# lacks TEST NAME: prints what this build or its system does not have for it;
# nothing if it has all.
lacks()
{
    local needs
    [[ -z ${SEENSET_TEST_LEFT_OUT:-} ]] ||
        sed -n "s,^$2 out ,,p" "$SEENSET_TEST_LEFT_OUT"
    needs=$(sed -n '1,10s/^# needs: //p' "$1" 2>/dev/null)
    [[ $needs != *clock* || -e $SEENSET_TEST_CLOCK_LIBRARY ]] ||
        echo "its clock cannot be loaded"
    [[ $needs != *png* || -n $has_png ]] || echo "it draws pictures by libpng"
    [[ $needs != *limits* || -n $has_limits ]] ||
        echo "the files of gcov would meet its limit"
    [[ $needs != *compressed* || -z $no_format ]] ||
        echo "$no_format cannot be written and read here"
    [[ $needs != *speed* || $SEENSET_TEST_STEP == 1 ]] ||
        echo "it starts hundreds of processes, and each has a sanitizer"
    [[ $needs != *alone* || -z $has_thread_sanitizer ]] ||
        echo "it has no threads, and the thread sanitizer is there"
    [[ $needs != *signals* || -z $has_thread_sanitizer ]] ||
        echo "the thread sanitizer would keep its signals for ever"
    [[ $needs != *yajl* || -n $has_yajl ]] || echo "it reads JSON by libyajl"
    [[ $needs != *urls* || -n $has_urls ]] || echo "URLs have no normal form"
    [[ $needs != *glibc* || -n $has_glibc ]] ||
        echo "its libraries, words or last digits are those of another libc"
}

seenset new "$scratch/drawn" -m 1kB
has_png=$(seenset info --picture /dev/null "$scratch/drawn" 2>&1)
[[ $has_png == *"without libpng"* ]] && has_png= || has_png=yes
[[ -n ${SEENSET_TEST_STEP:-} ]] || SEENSET_TEST_STEP=$(
    grep -q -e __asan_init -e __tsan_init "$(command -v seenset)" && echo 5 || echo 1)
export SEENSET_TEST_STEP
has_thread_sanitizer=$(grep -q __tsan_init "$(command -v seenset)" && echo yes)
has_limits=yes
grep -q GCOV_PREFIX "$(command -v seenset)" && has_limits=

no_format=
for tool in gzip zstd xz; do
    echo a | $tool -c 2>/dev/null | seenset dedup -z >/dev/null 2>&1 ||
        no_format=$tool
done
has_yajl=$(seenset dedup --from-format json -f .a /dev/null 2>&1)
[[ $has_yajl == *"without libyajl"* ]] && has_yajl= || has_yajl=yes

has_urls=$(seenset dedup --normalise url /dev/null 2>&1)
[[ $has_urls == *"without liburiparser"* ]] && has_urls= || has_urls=yes
has_glibc=$(grep -q GLIBC_ "$(command -v seenset)" && echo yes)

mapfile -t tests < <(list_tests "$@")
for test in "${tests[@]}"; do
    name=${test#"$here/"}
    name=${name%%/*}/$(basename "$test" .sh)
    lacking=$(lacks "$test" "$name")
    if [[ -n $lacking ]]; then
        echo "left out  $name: $lacking"
        continue
    fi
    wrong=$(run_test "$test" 2>&1 | tr -d '\0')
    if [[ -z $wrong ]]; then
        report "$name" ok
    else
        report "$name" bad "$wrong"
    fi
done

echo "$passed passed, $failed failed"
((failed == 0))
