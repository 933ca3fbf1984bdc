#!/bin/sh
# Builds the core and the command for 64-bit Windows, and runs their tests
# there, under wine.
#
#     windows.sh            all tests and 200 kills of each, in half an hour
#     windows.sh smoke      the golden files, written again; the command beside
#                           that of Linux; README's program; ten kills of each
#
# Without a compiler for Windows or wine it says so, and exits with 77.
# Wine has a Windows of its own in the build's folder, and no screen. It prints
# a row for each program: how many tests passed, failed and were skipped. What
# may fail under wine is in tests/windows/known.txt; all else must pass, and
# what is listed there must still fail, unless its name ends in "~": that
# depends on which thread is first. tests/windows/cli.txt is the same for the
# tests of the command.
set -eu
cd "$(dirname "$0")/../.."
source=$PWD
programs=$source/build/windows/tests/windows
known=$source/tests/windows/known.txt
wrapper=$source/build/windows/command
kills=$source/tests/windows/command_killed.sh
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

# note NAME RESULT: what a script of the command's says, for the row.
note() {
    printf '[  %s  ] %s\n' "$2" "$1" >>"$programs/command.log"
}

# part NAME COMMAND...: a script, which passes or fails as one.
part() {
    name=$1
    shift
    if "$@"; then
        note "$name" OK
    else
        echo "windows: $name failed" >&2
        note "$name" FAILED
        failed=1
    fi
}

# The command as a program of one process: its arguments are in UTF-8 whatever
# the caller's words are.
make_wrapper() {
    mkdir -p "$wrapper"
    {
        echo '#!/bin/sh'
        echo "program='$source/build/windows/seenset.exe'"
        echo "LC_ALL=C.UTF-8 exec '$wine' \"\$program\" \"\$@\""
    } >"$wrapper/seenset"
    chmod +x "$wrapper/seenset"
}

# The command of this system, which files are compared with.
make_native() {
    [ ! -x build/release/seenset ] || return 0
    cmake --preset release >/dev/null
    cmake --build build/release --parallel "$(nproc)" \
        --target seenset_command >/dev/null
}

# readme LANGUAGE: README's program, or what it prints.
readme() {
    sh -c 'source=. && . tests/project/pages/block.sh && block "$1"' sh "$1"
}

# README's program, with the two files of the core and no library.
run_readme() {
    here=$programs/readme
    files=build/windows/amalgamation
    mkdir -p "$here"
    readme c >"$here/readme.c"
    readme text >"$here/readme.txt"
    x86_64-w64-mingw32-gcc -O2 -Iinclude "$here/readme.c" \
        "$files/seenset.c" -o "$here/readme.exe" &&
        "$wine" "$here/readme.exe" | tr -d '\r' | cmp - "$here/readme.txt" &&
        only_system_libraries "$here/readme.exe"
}

# cli_rows WORD: the names in the list of the command's tests.
cli_rows() {
    awk -v word="$1" '!/^#/ && $2 == word { print $1 }' tests/windows/cli.txt |
        sort
}

# Is each row of the list of a test that there is?
has_rows() {
    for name in $(cli_rows out) $(cli_rows fails); do
        find "tests/cli/${name%%/*}" -name "${name##*/}.sh" | grep -q . || {
            echo "windows: tests/windows/cli.txt has $name, which is not there"
            return 1
        }
    done
}

# The tests of the command, but for those of the queue.
run_cli() {
    has_rows || return 1
    log=$programs/cli.txt
    folders=$(cd tests/cli && ls -d */ | tr -d / |
        grep -vxE 'queue|completions|runner_faults')
    # shellcheck disable=SC2086 # a list of words is meant
    SEENSET_TEST_LEFT_OUT=$PWD/tests/windows/cli.txt \
        tests/cli/run.sh "$wrapper" $folders >"$log" 2>&1 || :
    sed -n 's/^FAIL  //p' "$log" | sort >"$TMPDIR/failed"
    cli_rows fails >"$TMPDIR/known"
    {
        sed -n 's/^ok    \(.*\)/[  OK  ] cli.\1/p' "$log"
        sed -n 's/^FAIL  \(.*\)/[  FAILED  ] cli.\1/p' "$log"
        sed -n 's/^left out  \([^:]*\).*/[  SKIPPED  ] cli.\1/p' "$log"
    } >"$programs/cli.log"
    printf 'cli                %3d passed %2d failed %2d skipped\n' \
        "$(grep -c '^ok ' "$log")" "$(grep -c '^FAIL ' "$log")" \
        "$(grep -c '^left out ' "$log")"
    diff "$TMPDIR/known" "$TMPDIR/failed" >"$TMPDIR/other" && return 0
    echo "windows: < is known to fail, and passes; > fails:" >&2
    cat "$TMPDIR/other" >&2
    return 1
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
    awk '!/^#/ {
        name = $1
        $1 = $2 = ""
        print name ":" substr($0, 2)
    }' tests/windows/cli.txt >>"$rows/windows.skipped"
    sed -n 's/^left out  //p' "$programs/cli.txt" |
        grep -vFf "$rows/windows.skipped" >>"$rows/windows.skipped.more" || :
    cat "$rows/windows.skipped.more" >>"$rows/windows.skipped"
    rm "$rows/windows.skipped.more"
    cat "$programs"/*.log | awk '
        { sub(/\r$/, "") }
        /^\[ *OK *\] [a-z]/ { passed++ }
        /^\[ *SKIPPED *\] [a-z]/ { skipped++ }
        /^\[  FAILED  \] [a-z]/ { failed++ }
        END {
            printf "| Windows, x86_64, by wine | x86_64-w64-mingw32-gcc | "
            printf "yes | no | yes | %d | %d | %d |\n",
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
build ${1:+seenset_static seenset_shared test_golden test_killed \
    seenset_command seenset_amalgamation}
[ -n "${1:-}" ] || build seenset_amalgamation
make_native
make_wrapper
mkdir -p "$WINEPREFIX"
TMPDIR=$(mktemp -d)
export TMPDIR
trap '"$server" -k; rm -rf "$TMPDIR"' EXIT
"$server" -p
# The first program makes that Windows, and wine prints that it does.
"$wine" build/windows/seenset.exe --version >/dev/null 2>&1 || :
only_system_libraries build/windows/libseenset.dll
only_system_libraries build/windows/seenset.exe
rm -f "$programs"/*.log
native=$source/build/release/seenset
part command tests/windows/command.sh "$wrapper/seenset" "$native"
part readme run_readme
if [ "$mode" = smoke ]; then
    run golden
    run killed 5
    part kills "$kills" "$wrapper/seenset" "$native" 10
else
    run killed 100
    part kills "$kills" "$wrapper/seenset" "$native" 200
    part cli run_cli
    for program in "$programs"/test_*.exe; do
        test=$(basename "$program" .exe)
        [ "$test" = test_killed ] || run "${test#test_}"
    done
    leave_row
fi
[ $failed = 0 ]
