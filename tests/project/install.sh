#!/bin/sh
# Installs the build into a folder and builds other people's programs against
# what arrived there: by pkg-config (shared, then static), by find_package
# (both), and from C++ when there is a compiler for it. Then takes it away
# again, looks at what the loader is told, and runs the C program of README.md
# after an installation as everybody does it, to /usr/local.
#
#     install.sh <build folder> <source folder>
set -eu
build=$1
source=$2
cc=${CC:-cc}
consumer=$source/tests/project/consumer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

install=$source/scripts/install.sh
unset DESTDIR

# What was there before, and must be there afterwards.
mkdir -p "$prefix/bin" "$prefix/share/man/man1"
echo theirs >"$prefix/bin/theirs"
find "$prefix" | sort >"$work/before"
"$install" install "$build" "$prefix" >"$work/log"
grep -q "LD_LIBRARY_PATH=$prefix/lib" "$work/log" || {
    echo "nothing said how to run a program that uses the library:"
    cat "$work/log"
    exit 1
}
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

# The same of a program that uses the queue, with a new folder for it.
queues=0
expect_queue() {
    queues=$((queues + 1))
    expect_seen "$@" "$work/queue$queues"
}

for file in "$libdir/libseenset.so.1" "$libdir/libseenset-queue.so.1" \
    "$prefix/bin/seenset" "$prefix/include/seenset/base.h" \
    "$prefix/include/seenset/queue.h" "$prefix/include/seenset/queue_folder.h" "$prefix/include/seenset/seenset.h" "$prefix/include/seenset/plan.h" \
    "$prefix/include/seenset/error.h" "$prefix/share/man/man1/seenset.1" \
    "$prefix/share/man/man1/seenset-dedup.1" \
    "$prefix/share/man/man3/libseenset.3" \
    "$prefix/share/bash-completion/completions/seenset" \
    "$prefix/share/zsh/site-functions/_seenset" \
    "$prefix/share/fish/vendor_completions.d/seenset.fish"; do
    [ -s "$file" ] || {
        echo "not installed: $file"
        exit 1
    }
done

# others LIBRARY: the libraries it needs at run time besides libc and libm.
others() {
    ldd "$1" | sed -n 's|^[[:space:]]*\([^ ]*\).*|\1|p' |
        grep -vE '^(linux-vdso\.so|libc\.so|libm\.so|(/.*/)?ld-linux.*\.so)' || :
}
others "$libdir/libseenset.so.1" >"$work/others"
if [ -s "$work/others" ]; then
    echo "libseenset.so needs more than libc and libm:"
    cat "$work/others"
    exit 1
fi
# The planted fault: the queue's library does need others.
for name in libseenset libidn2 liburiparser; do
    others "$libdir/libseenset-queue.so.1" | grep -q "^$name\.so" || {
        echo "planted: $name is not among what libseenset-queue.so needs"
        exit 1
    }
done

[ "$(pkg-config --modversion seenset)" = "$version" ]
[ "$(pkg-config --modversion seenset-queue)" = "$version" ]
# shellcheck disable=SC2046 # lists of words are meant
{
    $cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$consumer/core.c" \
        $(pkg-config --cflags --libs seenset) -o "$work/shared"
    $cc -std=c11 "$consumer/core.c" -static \
        $(pkg-config --cflags --static --libs seenset) -o "$work/static"
    for kind in "" -static; do
        $cc -std=c11 $kind "$consumer/core.c" -I"$prefix/include" \
            -L"$libdir" -lseenset -lm -o "$work/by_hand$kind"
    done
    $cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$consumer/queue.c" \
        $(pkg-config --cflags --libs seenset-queue) -o "$work/queue_shared"
    # Ours from the archives, what they need as the system has it: Debian ships
    # no archive of uriparser.
    $cc -std=c11 "$consumer/queue.c" \
        $(pkg-config --cflags --static --libs seenset-queue |
            sed 's/-l\(seenset[a-z-]*\)/-l:lib\1.a/g') -o "$work/queue_static"
}
expect_seen "pkg-config, shared" "$work/shared"
expect_seen "pkg-config, static" env -u LD_LIBRARY_PATH "$work/static"
expect_seen "-lseenset -lm" "$work/by_hand"
expect_seen "-static -lseenset -lm" \
    env -u LD_LIBRARY_PATH "$work/by_hand-static"
expect_queue "pkg-config, queue, shared" "$work/queue_shared"
expect_queue "pkg-config, queue, static" \
    env -u LD_LIBRARY_PATH "$work/queue_static"
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
for kind in shared static; do
    expect_seen "find_package, $kind" "$work/cmake/core_$kind"
    expect_queue "find_package, queue, $kind" "$work/cmake/queue_$kind"
done

# README's lines for CMake, and its two ways without.
mkdir "$work/readme"
{
    echo 'cmake_minimum_required(VERSION 3.25)'
    echo 'project(readme LANGUAGES C)'
    sed -n '/^```cmake$/,/^```$/p' "$source/README.md" | grep -v '^```'
} >"$work/readme/CMakeLists.txt"
cp "$consumer/core.c" "$work/readme/app.c"
if ! cmake -S "$work/readme" -B "$work/readme/build" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 ||
    ! cmake --build "$work/readme/build" >>"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
expect_seen "README, CMake" "$work/readme/build/app"
words() {
    grep -o -e "$1" "$source/README.md" | sed "s,/that/folder,$libdir,"
}
# shellcheck disable=SC2046
{
    $cc -std=c11 "$consumer/core.c" -I"$prefix/include" -L"$libdir" \
        $(words '-l:libseenset.a -lm') -o "$work/readme/static"
    $cc -std=c11 "$consumer/core.c" -I"$prefix/include" -L"$libdir" -lseenset \
        $(words '-Wl,-rpath,/that/folder') -o "$work/readme/rpath"
}
for kind in static rpath; do
    expect_seen "README, $kind" env -u LD_LIBRARY_PATH "$work/readme/$kind"
done

if command -v c++ >/dev/null; then
    # shellcheck disable=SC2046
    {
        c++ -x c++ -Wall -Wextra -Werror "$consumer/core.c" \
            $(pkg-config --cflags --libs seenset) -o "$work/cxx"
        c++ -x c++ -Wall -Wextra -Werror "$consumer/queue.c" \
            $(pkg-config --cflags --libs seenset-queue) -o "$work/queue_cxx"
    }
    expect_seen "C++" "$work/cxx"
    expect_queue "C++, queue" "$work/queue_cxx"
fi

# ---- taking it away ----

# check_gone NAME: only what was there before is there.
check_gone() {
    find "$prefix" | sort | diff "$work/before" - || {
        echo "$1: not as it was before"
        exit 1
    }
    echo "$1: as it was before"
}

# A second installation, of which an older one had a file more, changes nothing.
touch "$prefix/include/seenset/older.h"
echo "$prefix/include/seenset/older.h" >>"$prefix/share/seenset/installed"
"$install" install "$build" "$prefix" >/dev/null
"$install" uninstall "$prefix" >/dev/null
check_gone "uninstall"
if "$install" uninstall "$prefix" 2>"$work/log"; then
    echo "uninstall: found something to do where nothing is installed"
    exit 1
fi
grep -q "make install" "$work/log"

# Files that others have put into our folders stay, and the folders with them.
"$install" install "$build" "$prefix" >/dev/null
touch "$prefix/include/seenset/theirs.h"
"$install" uninstall "$prefix" >/dev/null
rm "$prefix/include/seenset/theirs.h"
rmdir "$prefix/include/seenset" "$prefix/include"
check_gone "uninstall beside others"

# For packagers: all under DESTDIR, and no list.
DESTDIR=$work/root "$install" install "$build" /usr >/dev/null
[ -x "$work/root/usr/bin/seenset" ] && [ ! -e "$work/root/usr/share/seenset" ]

# ---- the loader ----

# An ldconfig that searches the folder of this test, and counts its calls.
mkdir "$work/sbin"
cat >"$work/sbin/ldconfig" <<END
#!/bin/sh
case \$* in
"") echo run >>'$work/runs' ;;
*-N*) echo '$prefix/lib: (from here)' ;;
esac
END
chmod +x "$work/sbin/ldconfig"
: >"$work/runs"
(
    PATH=$work/sbin:$PATH
    "$install" install "$build" "$prefix"
    "$install" uninstall "$prefix"
    DESTDIR=$work/root "$install" install "$build" "$prefix"
) >"$work/log"
if [ "$(wc -l <"$work/runs")" != 2 ] || grep -q LD_LIB "$work/log"; then
    echo "ldconfig ran $(wc -l <"$work/runs") times, not twice"
    exit 1
fi
check_gone "with a loader that knows the folder"

# README's program, in a /usr/local and an /etc of its own: root can do that.
cat >"$work/as_root.sh" <<'END'
set -eu
mkdir "$work/local" "$work/etc"
mount --bind "$work/local" /usr/local
cp -a /etc/. "$work/etc"
mount --bind "$work/etc" /etc
ldconfig
"$install" install "$build" /usr/local >/dev/null
unset LD_LIBRARY_PATH
PKG_CONFIG_PATH=/usr/local/lib/pkgconfig
awk '/^```c$/ { on = 1; next } /^```/ && on { exit } on' "$source/README.md" \
    >"$work/crawl.c"
# shellcheck disable=SC2046
$cc -std=c11 "$work/crawl.c" $(pkg-config --cflags --libs seenset) \
    -o "$work/crawl"
"$work/crawl"
"$install" uninstall /usr/local >/dev/null
find /usr/local -mindepth 1
if ldconfig -p | grep libseenset; then exit 1; fi
END
export work install build source cc PKG_CONFIG_PATH
if unshare -m true 2>/dev/null; then
    unshare -m sh "$work/as_root.sh" >"$work/said" 2>&1 || {
        echo "README's program after an installation:"
        cat "$work/said"
        exit 1
    }
    if [ "$(wc -l <"$work/said")" != 4 ] ||
        ! grep -qx "fetch http://example.com/" "$work/said"; then
        echo "README's program after an installation, or what it left:"
        cat "$work/said"
        exit 1
    fi
    echo "README's program after an installation: $(head -n 1 "$work/said")"
else
    echo "README's program after an installation: left out, without root"
fi
