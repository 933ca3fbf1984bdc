#!/bin/sh
# Builds the core for 64-bit Windows, and runs its tests there, under wine.
#
#     windows.sh            all tests and 200 kills, in ten minutes
#     windows.sh smoke      the golden files, written again; ten kills
#
# Without a compiler for Windows or wine it says so, and exits with 77.
# Wine has a Windows of its own in the build's folder, and no screen. It prints
# a row for each program: how many tests passed, failed and were skipped. What
# may fail under wine is in tests/windows/known.txt; all else must pass, and
# what is listed there must still fail, unless its name ends in "~": that
# depends on which thread is first.
set -eu
cd "$(dirname "$0")/../.."
source=$PWD
programs=$source/build/windows/tests/windows
known=$source/tests/windows/known.txt
mode=${1:-whole}
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
server=$(command -v wineserver64 || echo /usr/lib/wine/wineserver64)

for program in x86_64-w64-mingw32-gcc "$wine" "$server"; do
    command -v "$program" >/dev/null || {
        echo "SKIPPED: windows was not tested: there is no $program"
        exit 77
    }
done

# A private Windows, and no desktop.
export WINEPREFIX="$source/build/windows/wine" WINEDEBUG=-all
export WINEDLLOVERRIDES='mscoree,mshtml=' LC_ALL=C.UTF-8
unset DISPLAY WAYLAND_DISPLAY

build() {
    cmake --preset windows >/dev/null
    cmake --build build/windows --parallel "$(nproc)" ${1:+--target "$@"} \
        -- --no-print-directory >build/windows/log || {
        cat build/windows/log
        exit 1
    }
}

# The functions of a test that fail under wine, one a line; $2 is what
# their names match in the list.
may_fail() {
    awk -v test="$1" -v mark="$2" '$1 == test && $2 ~ mark {
        sub("~", "", $2)
        print $2
    }' "$known" | sort
}

# Is what failed what is known to? LOG TEST
is_as_known() {
    has_failed "$1" >"$TMPDIR/failed"
    may_fail "$2" '' >"$TMPDIR/may"
    may_fail "$2" '[^~]$' >"$TMPDIR/must"
    [ -z "$(comm -23 "$TMPDIR/failed" "$TMPDIR/may")" ] &&
        [ -z "$(comm -23 "$TMPDIR/must" "$TMPDIR/failed")" ]
}

# has_failed LOG: the functions that failed, one a line.
has_failed() {
    awk '/^\[  FAILED  \] [a-z]/ { sub(/\r$/, ""); print $4 }' "$1" | sort
}

# count LOG WORD
count() {
    grep -c "^\[ *$2 *\] [a-z]" "$1" || :
}

failed=0
run() {
    test=$1
    shift
    log=$programs/$test.log
    result=0
    timeout 900 "$wine" "$programs/test_$test.exe" "$@" >"$log" 2>&1 \
        </dev/null || result=$?
    printf '%-18s %3d passed %2d failed %2d skipped' "$test" \
        "$(count "$log" OK)" "$(has_failed "$log" | wc -l)" \
        "$(count "$log" SKIPPED)"
    if ! is_as_known "$log" "$test" ||
        { [ $result != 0 ] && [ -z "$(has_failed "$log")" ]; } ||
        ! grep -q '^\[ *\(PASSED\|FAILED\) *\] [0-9]' "$log"; then
        failed=1
        printf '  NOT AS KNOWN (%s)\n' "$result"
        grep -E 'ERROR|LINE|FAILED' "$log" || cat "$log"
    else
        printf '\n'
    fi
}

# For docs/platforms.md: `make platforms`. What is known to fail is counted with
# what is skipped, and its reason is told.
leave_row() {
    rows=build/platforms
    mkdir -p "$rows"
    awk '!/^#/ {
        name = $1 ": " $2
        $1 = $2 = ""
        sub(/~$/, " (at times)", name)
        print name ":" substr($0, 2)
    }' "$known" >"$rows/windows.skipped"
    cat "$programs"/*.log | awk '
        { sub(/\r$/, "") }
        /^\[ *OK *\] [a-z]/ { passed++ }
        /^\[ *SKIPPED *\] [a-z]/ { skipped++ }
        /^\[  FAILED  \] [a-z]/ { failed++ }
        END {
            printf "| Windows, x86_64, by wine | x86_64-w64-mingw32-gcc | "
            printf "yes | no | no | %d | %d | %d |\n",
                passed + failed + skipped, passed, skipped + failed
        }' >"$rows/windows.row"
    cat "$rows/windows.skipped" "$rows/windows.row"
}

# What the programs need is in every Windows.
only_system_libraries() {
    x86_64-w64-mingw32-objdump -p "$1" | awk '/DLL Name/ { print tolower($3) }' |
        grep -vE '^(kernel32|advapi32|msvcrt)\.dll$' || return 0
    echo "windows: $1 needs these besides" >&2
    return 1
}

# shellcheck disable=SC2086 # a list of words is meant
build ${1:+seenset_static seenset_shared test_golden test_killed}
mkdir -p "$WINEPREFIX"
TMPDIR=$(mktemp -d)
export TMPDIR
trap '"$server" -k; rm -rf "$TMPDIR"' EXIT
"$server" -p
only_system_libraries build/windows/libseenset.dll
if [ "$mode" = smoke ]; then
    run golden
    run killed 5
else
    run killed 100
    for program in "$programs"/test_*.exe; do
        test=$(basename "$program" .exe)
        [ "$test" = test_killed ] || run "${test#test_}"
    done
    leave_row
fi
[ $failed = 0 ]
