#!/bin/sh
# Every way of docs/embedding.md to build the core into a program, as the page
# has it: its lines and files, run on the page's programs. Not optimised, which
# takes a fifth of the time. The list of sources that Meson has is CMake's, with
# the same instructions for each kernel.
#
#     embedding.sh <folder of the two files> <build folder> <source folder>
set -eu
files=$1
build=$2
source=$3
page=$source/docs/embedding.md
CC=${CC:-cc}
export CC
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# block HEADING LANGUAGE NUMBER: a block of the page, the first is 1.
block() {
    awk -v heading="$1" -v opening="\`\`\`$2" -v number="$3" '
        /^```/ { fenced = !fenced }
        inside && !fenced { exit }
        inside { print }
        !fenced && /^#/ { here = $0 == heading }
        here && $0 == opening && ++found == number { inside = 1 }' "$page" |
        grep . # none is an error
}

# quietly COMMAND...: what it prints is shown if it fails.
quietly() {
    "$@" >"$work/log" 2>&1 || {
        echo "failed: $*"
        cat "$work/log"
        exit 1
    }
}

# expect NAME COMMAND...: of three lines, the two that differ.
printf 'a\nb\n' >"$work/expected"
expect() {
    name=$1
    shift
    printf 'a\nb\na\n' | "$@" | cmp "$work/expected" - || {
        echo "$name: app did not print each line once"
        exit 1
    }
    echo "$name: each line once"
}

# project NAME: a folder with the program, with seenset in FOLDER.
project() {
    mkdir "$work/$1"
    cd "$work/$1"
    block "# seenset in your program" c 1 >app.c
}

# sources FOLDER: those of the core and no others.
sources() {
    mkdir -p "$1"
    cp -R "$source/CMakeLists.txt" "$source/meson.build" "$source/cmake" \
        "$source/include" "$source/src" "$1"
    mkdir -p "$1/docs/man" && cp "$source/docs/man/libseenset.3" "$1/docs/man"
}

# ---- two files ----

project two_files
mkdir seenset
cp "$files/seenset.c" "$files/seenset.h" seenset
block "## Two files" c 1 >kept.c
for number in 1 2; do
    line=$(block "## Two files" sh "$number" | sed "s/^cc /\$CC /; s/-O2/-O0/")
    quietly sh -euc "$line"
    [ "$number" != 1 ] || expect "two files" ./a.out
done
[ "$(./a.out)" = kept ] || {
    echo "without files: a set was not kept as bytes"
    exit 1
}
if nm a.out | grep -q ' seenset_save$\| ss_path_look$'; then
    echo "SEENSET_NO_FILES left the calls with a path in"
    exit 1
fi

# ---- CMake ----

# by_cmake NAME FOLDER: configures and builds.
by_cmake() {
    name=$1
    quietly env PKG_CONFIG=false cmake -S . -B out -DCMAKE_BUILD_TYPE=None
    quietly cmake --build out --parallel 2
    expect "$name" ./out/app
}

project subdirectory
block "## CMake" cmake 1 >CMakeLists.txt
sources seenset
by_cmake "add_subdirectory"
# The planted fault: without the core there is nothing to find.
mv seenset/src/base/error.c .
if cmake --build out >"$work/log" 2>&1; then
    echo "a part of the core that is missing was not missed"
    exit 1
fi

project fetched
block "## CMake" cmake 2 >CMakeLists.txt
tarball=$(grep -o 'seenset-[0-9.]*tar\.gz' CMakeLists.txt)
sources "$work/packed/seenset"
tar -c -z -f "$tarball" -C "$work/packed" seenset
quietly env PKG_CONFIG=false cmake -S . -B out -DCMAKE_BUILD_TYPE=None
# It is the same build: all of it once is enough.
quietly cmake --build out --target help
grep -q seenset_static "$work/log"
echo "FetchContent: configured"

# ---- Meson ----

command -v meson >/dev/null || {
    echo "SKIPPED: the build by Meson was not tested: there is no meson"
    exit 77
}
project meson
block "## Meson" meson 1 >meson.build
sources subprojects/seenset
quietly meson setup out --wrap-mode=forcefallback --buildtype=plain
quietly meson compile -C out
expect "Meson" ./out/app
version=$(sed -n 's/^#define SEENSET_VERSION "\(.*\)"/\1/p' \
    "$source/include/seenset/base.h")
grep -q "version: '$version'" "$source/meson.build" || {
    echo "meson.build has another version than $version"
    exit 1
}

# compiled FILE FROM: each source of the core in a compilation database, with
# the instructions that it is compiled for.
cat >"$work/compiled.py" <<'END'
import json
import re
import sys
with open(sys.argv[1], encoding='utf-8') as file:
    commands = json.load(file)
for command in commands:
    if re.search(sys.argv[2], command['command']):
        name = re.search(r'(?:^|/)(src/(?:base|hash|lines|expand|table|plan|set'
                         r'|file|foreign)/.*)$', command['file']).group(1)
        wanted = re.findall(r' -m(?:avx|bmi)\w*', command['command'])
        print(name + ''.join(sorted(wanted)))
END
/usr/bin/python3 "$work/compiled.py" "$build/compile_commands.json" \
    'seenset_objects\.dir' | sort >"$work/by_cmake"
/usr/bin/python3 "$work/compiled.py" out/compile_commands.json \
    'libseenset' | sort >"$work/by_meson"
[ -s "$work/by_cmake" ]
diff "$work/by_cmake" "$work/by_meson" || {
    echo "meson.build and CMakeLists.txt differ: < CMake, > Meson"
    exit 1
}
# The planted fault: a source that one of them lacks.
sed 1d "$work/by_meson" >"$work/less"
if cmp -s "$work/by_cmake" "$work/less"; then
    echo "the comparison can't fail: it missed a planted fault"
    exit 1
fi
echo "Meson has CMake's $(wc -l <"$work/by_cmake") sources"
