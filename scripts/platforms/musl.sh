#!/bin/sh
# Builds for musl, by musl-gcc: both libraries and the command, dynamic and
# static, and runs tests with them.
#
#     musl.sh                  all of it, in build/musl, and the row of musl in
#                              docs/platforms.md, in build/platforms
#     musl.sh static FOLDER    the static command alone, in FOLDER, and what it
#                              answers; exits with 77 where musl-gcc is missing
#
# Debian has no other library for musl, so none is used: `seenset --version`
# lists them, and the tests bring what they need (SEENSET_TESTS_BARE).
set -eu
cd "$(dirname "$0")/../.."
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# configure FOLDER OPTION...: no library of this system is found.
configure() {
    folder=$1
    shift
    PKG_CONFIG_LIBDIR=$folder/none PKG_CONFIG_PATH='' cmake -S . \
        -B "$folder" -DCMAKE_C_COMPILER=musl-gcc -DCMAKE_BUILD_TYPE=Release \
        -DSEENSET_URLS=OFF -DSEENSET_REDIS=OFF "$@" >"$work/log"
}

build() {
    folder=$1
    shift
    cmake --build "$folder" --parallel "$(nproc)" --target "$@" \
        >"$work/log" 2>&1 || {
        cat "$work/log"
        exit 1
    }
}

# expect WHAT: standard input is what WHAT printed, in $work/printed.
expect() {
    cat >"$work/expected"
    diff "$work/expected" "$work/printed" || {
        echo "$1: not as expected"
        exit 1
    }
}

ask() {
    printf 'a\nb\na\n' | "$1" dedup
    "$1" new set -n 1k
    "$1" add set a b
    "$1" has set a b c
    "$1" verify set
    seq 3 | "$1" queue push queue
    "$1" queue pop -n 2 queue >taken
    cut -f 2 taken
    "$1" queue ack queue <taken
    "$1" queue pop queue | cut -f 2
    ! "$1" queue push --normalise url other </dev/null
}

# answers COMMAND: a stream, a set and a queue, and what is not built in.
answers() {
    rm -rf "$work/box"
    mkdir "$work/box"
    (cd "$work/box" && ask "$1") >"$work/printed" 2>&1 || true
    expect "$1" <<END
a
b
a
b
set: sound, 1,992 bytes
1
2
3
seenset queue push: --normalise url: this seenset was built without liburiparser and libidn2, which read URLs
Try \`seenset queue push --help' or \`seenset queue push --usage' for more
information.
END
}

# example LANGUAGE: the block of README.md's example.
example() {
    source=$source sh -c \
        '. "$source/tests/project/pages/block.sh" && block "$0"' "$1"
}

# program FOLDER OPTION...: README.md's, with the library there.
program() {
    folder=$1
    shift
    example c >"$work/app.c"
    musl-gcc -std=c11 -Iinclude "$work/app.c" -o "$work/app" "$@" \
        -L"$folder" -lseenset -lm
    LD_LIBRARY_PATH=$folder "$work/app" >"$work/printed"
    example text | expect "the program of README.md"
}

# static FOLDER FLAGS
static() {
    configure "$1" -DSEENSET_TESTS=OFF -DCMAKE_EXE_LINKER_FLAGS=-static \
        -DCMAKE_POSITION_INDEPENDENT_CODE=OFF -DCMAKE_C_FLAGS_RELEASE="$2"
    build "$1" seenset_command seenset_static
    if grep -q /lib/ld-musl "$1/seenset"; then
        echo "the static command asks for a loader"
        exit 1
    fi
    answers "$1/seenset"
    program "$1" -static
    echo "static: a command of $(wc -c <"$1/seenset") bytes"
}

# The planted fault: an answer that is not right is noticed.
judge() {
    echo b >"$work/printed"
    if (echo a | expect planted) >/dev/null; then
        echo "a wrong answer was not noticed"
        exit 1
    fi
}

judge
if [ "${1:-}" = static ]; then
    command -v musl-gcc >/dev/null || exit 77
    static "$2" '-O1 -DNDEBUG'
    exit 0
fi

build=$source/build/musl
rows=$source/build/platforms
mkdir -p "$rows"
static "$build/static" '-O3 -DNDEBUG'
configure "$build" -DSEENSET_TESTS_BARE=ON
build "$build" all
answers "$build/seenset"
program "$build"
failed=0
ctest --test-dir "$build" --label-regex '^quick$' --parallel "$(nproc)" \
    --output-on-failure --output-junit "$build/tests.xml" || failed=1
tests/cli/run.sh "$build" >"$build/cli" || failed=1
grep -v '^ok' "$build/cli"

{
    sed -n 's/^left out  //p' "$build/cli"
    for test in url url_host url_normalise; do
        echo "$test: Debian has no uriparser and no libidn2 for musl"
    done
    echo 'own_hashes: Debian has no libsodium and no libmd for musl'
    echo 'crawl: Debian has no libcurl for musl'
    echo 'faulty: it is preloaded, also into programs of glibc'
} >"$rows/musl.skipped"

# count NAME: that attribute of the report of ctest.
count() {
    sed -n "/<testsuite/,/>/s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" \
        "$build/tests.xml"
}
cli=$(grep -c '^ok' "$build/cli")
bad=$(($(count failures) + $(grep -c '^FAIL' "$build/cli" || true)))
passed=$(($(count tests) - $(count failures) - $(count skipped) + cli))
skipped=$(wc -l <"$rows/musl.skipped")
{
    printf '| Linux, musl, %s | musl-gcc | yes | ' "$(uname -m)"
    printf 'yes, without normal forms of URLs | yes | '
    printf '%s | %s | %s |\n' $((passed + bad)) "$passed" "$skipped"
} | tee "$rows/musl.row"
exit $failed
