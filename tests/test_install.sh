#!/bin/sh
# Installs the build into an empty folder and builds other people's programs
# against what arrived there: by pkg-config (shared, then static), by
# find_package (both), and from C++ when there is a compiler for it.
#
#     test_install.sh <build folder> <source folder>
set -eu
build=$1
source=$2
cc=${CC:-cc}
consumer=$source/tests/install
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

cmake --install "$build" --prefix "$prefix" >"$work/log"
libdir=$(dirname "$(find "$prefix" -name libseenset.a)")
PKG_CONFIG_PATH=$libdir/pkgconfig
LD_LIBRARY_PATH=$libdir
export PKG_CONFIG_PATH LD_LIBRARY_PATH

# expect_seen NAME COMMAND...: the consumer says "new seen <version>".
version=$("$prefix/bin/seenset" --version | grep -o '[0-9]*\.[0-9]*\.[0-9]*')
expect_seen() {
    name=$1
    shift
    said=$("$@")
    if [ "$said" != "new seen $version" ]; then
        echo "$name: said '$said', not 'new seen $version'"
        exit 1
    fi
    echo "$name: $said"
}

for file in "$libdir/libseenset.so.0" "$prefix/bin/seenset" \
    "$prefix/include/seenset/seenset.h" "$prefix/include/seenset/plan.h" \
    "$prefix/include/seenset/error.h" "$prefix/share/man/man1/seenset.1" \
    "$prefix/share/bash-completion/completions/seenset" \
    "$prefix/share/zsh/site-functions/_seenset" \
    "$prefix/share/fish/vendor_completions.d/seenset.fish"; do
    [ -s "$file" ] || {
        echo "not installed: $file"
        exit 1
    }
done

[ "$(pkg-config --modversion seenset)" = "$version" ]
# shellcheck disable=SC2046 # lists of words are meant
{
    $cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$consumer/consumer.c" \
        $(pkg-config --cflags --libs seenset) -o "$work/shared"
    # Ours from the archive, what it needs as the system has it: Debian ships
    # no archive of uriparser.
    $cc -std=c11 "$consumer/consumer.c" \
        $(pkg-config --cflags --static --libs seenset |
            sed 's/-lseenset/-l:libseenset.a/') -o "$work/static"
    # A program that only uses sets needs no URLs, and can be all static.
    $cc -std=c11 "$consumer/consumer.c" -static \
        $(pkg-config --cflags --libs seenset) -lsodium -lmd -lm \
            -o "$work/all_static"
}
expect_seen "pkg-config, shared" "$work/shared"
expect_seen "pkg-config, static" env -u LD_LIBRARY_PATH "$work/static"
expect_seen "all static" env -u LD_LIBRARY_PATH "$work/all_static"
if env -u LD_LIBRARY_PATH "$work/shared" 2>/dev/null; then
    echo "the shared consumer ran without the library of this folder"
    exit 1
fi

if ! cmake -S "$consumer" -B "$work/cmake" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 ||
    ! cmake --build "$work/cmake" >>"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
expect_seen "find_package, shared" "$work/cmake/consumer_shared"
expect_seen "find_package, static" "$work/cmake/consumer_static"

if command -v c++ >/dev/null; then
    # shellcheck disable=SC2046
    c++ -x c++ -Wall -Wextra -Werror "$consumer/consumer.c" \
        $(pkg-config --cflags --libs seenset) -o "$work/cxx"
    expect_seen "C++" "$work/cxx"
fi
