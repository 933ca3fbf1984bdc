#!/bin/bash
# Every program that a script or a test calls is named in scripts/deps.sh, or is
# in one of Debian's essential packages: else it runs on the machines that
# happen to have it, and fails on a fresh one. The names are read out of the
# scripts by programs.awk, out of Python and JavaScript by what starts programs
# there, and out of the loops of the pages, which the test `loops` runs.
#
# What a test calls has to be in a group that `make test` installs.
#
#     programs.sh SOURCE_FOLDER
set -eu
source=$(cd "$1" && pwd)
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
blocks=$work/blocks
mkdir "$blocks"
# shellcheck source=tests/faults/loops/pages.sh
. "$source/tests/faults/loops/pages.sh"

# ---- what a machine has ----

# The shell's own.
builtins='[ : . alias bg break cd continue declare echo eval exec exit export false
    getopts hash jobs kill local mapfile printf pwd read readonly return set
    shift shopt source test times trap true type ulimit umask unset wait'

# Of Debian's essential packages; checked below where dpkg is there.
essential='awk base64 basename bash cat chgrp chmod chown chroot chrt cksum
    cmp comm cp cut date dd df diff dirname dpkg dpkg-deb dpkg-query du env
    find flock fold grep gzip head hostname id install ionice ldconfig ldd ln
    ls lscpu lsns md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc od
    paste perl pivot_root printenv readlink realpath rm rmdir runuser script
    sed seq setpriv setsid sh sha256sum shred shuf sleep sort split stat stdbuf
    sync tac tail taskset tar tee timeout touch tr truncate tty uname uniq
    unlink unshare wc xargs yes zcat'

# What is there before deps.sh can do anything.
given='apt-cache apt-config apt-get sudo'

# A program whose package has another name: PACKAGE PROGRAM...
packages='abigail-tools abidiff abidw
afl++ afl-clang-fast afl-fuzz
binaryen wasm-opt
binutils-mingw-w64-x86-64 x86_64-w64-mingw32-objdump
build-essential dpkg-buildpackage
clang clang clang++
cmake cmake ctest cpack
default-jdk-headless java javac
g++ c++ g++
gcc ar cc gcc gcov nm objdump readelf strip
gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc
gcc-mingw-w64-x86-64 x86_64-w64-mingw32-gcc
golang-github-dcso-bloom-cli bloom
iproute2 ip
man-db man
mount mount umount losetup
musl-tools musl-gcc
nodejs node
procps pgrep ps
python3-venv pip
qemu-user qemu-aarch64
redis-tools redis-cli redis-server
sqlite3 sqlite3
wine64 wine64 wineserver64
xz-utils xz xzcat
zstd zstd zstdcat'

# For the page's tests and what else `make test` installs.
for_tests='build|test|web|browsers|redis|node|python|python_tests|formats'

# provided GROUPS: the programs that deps.sh's groups of these names have.
provided() {
    sed -nE "/^    ($1)\\)\$/,/^END\$/s/^([a-z0-9.+-]+)  *[a-zA-Z].*/\\1/p" \
        "$deps" | sort -u >"$work/installed"
    awk 'NR == FNR { has[$1] = 1; print $1; next }
        $1 in has { for (i = 2; i <= NF; i++) print $i }' \
        "$work/installed" - <<<"$packages"
    printf '%s\n' $builtins $essential $given
}

# ---- what is called ----

# in_shell FILE...: "PROGRAM FILE:LINE" for each that the scripts call, but for
# functions, and for scripts that a loop of the pages finds in its box.
in_shell() {
    awk -f "$source/tests/project/pages/programs.awk" "$@" </dev/null |
        sed "s, $source/, ," | awk '
        $1 == "function" { mine[$2] = 1; next }
        { lines[++count] = $1 " " $3 ":" $2 }
        END {
            for (i = 1; i <= count; i++) {
                split(lines[i], word, " ")
                if (!(word[1] in mine))
                    print lines[i]
            }
        }'
}

# in_programs FILE...: the same of Python and JavaScript.
in_programs() {
    awk -v starts='(subprocess[.](run|Popen)|(spawn|execFile)(Sync)?)[(]' \
        -v name="[ ]*\\\\[?[\"'][a-z0-9_+.-]+[\"']" '
    FNR == 1 { before = "" }
    {
        text = before $0
        while (match(text, starts name)) {
            called = substr(text, RSTART, RLENGTH - 1)
            sub(/.*[^a-z0-9_+.-]/, "", called)
            print called " " FILENAME ":" FNR
            text = substr(text, RSTART + RLENGTH)
        }
        before = $0 ~ /\($/ ? $0 : ""
        sub(/[ \t]+$/, "", before)
    }' "$@" | sed "s, $source/, ,"
}

is_script() {
    case $1 in
    *.sh) return 0 ;;
    *.*) return 1 ;;
    *) head -n 1 "$1" | grep -q '^#!.*sh$' ;;
    esac
}

# scripts FOLDER: the scripts of the shell in it.
scripts() {
    local file
    find "$source/$1" -type f ! -path '*/golden/*' ! -name '*.exact' \
        ! -name '*.glob' ! -name '*.txt' ! -name '*.c' ! -name '*.h' |
        sort | while read -r file; do
            ! is_script "$file" || echo "$file"
        done
}

# loops: the loops of the pages, without the address that they begin with.
loops() {
    local page block
    for page in "$source"/*.md "$source"/docs/*.md "$source"/docs/man/*.1; do
        blocks_of "$page"
    done
    for block in "$blocks"/*; do
        ! is_loop "$block" || echo "$block"
    done
}

# What a page only stands for: programs of the reader, found in the box of a
# loop, and the command itself.
of_the_reader() {
    echo seenset
    sed -n 's,.*\$box/bin/\([a-z_]*\)".*,\1,p' "$source"/tests/faults/loops/*.sh
}

# names FOLDER...: everything that is called from there.
# shellcheck disable=SC2046 # lists of words are meant
names() {
    local folder
    in_shell $(for folder; do scripts "$folder"; done)
    in_programs $(find "${@/#/$source/}" -name '*.py' -o -name '*.mjs' | sort)
}

# expect_known WHAT GROUPS: no name on input but those that the groups have.
expect_known() {
    { provided "$2" && of_the_reader; } | sort -u >"$work/known"
    awk -v what="$1" 'NR == FNR { known[$1] = 1; next }
        !($1 in known) && !told[$1]++ {
            print $1 ", called at " $2 ", is in no group of deps.sh " what
            bad = 1
        }
        END { exit bad }' "$work/known" -
}

# shellcheck disable=SC2046 # a list of words is meant
read_calls() {
    names tests >"$work/of_tests"
    in_shell $(loops) >>"$work/of_tests"
    names scripts bench >"$work/of_scripts"
    in_shell "$source/.ci/run" >>"$work/of_scripts"
    [[ $(wc -l <"$work/of_tests") -gt 500 ]] || {
        echo "only $(wc -l <"$work/of_tests") calls were found in the tests"
        exit 1
    }
}

# check FILE: with that deps.sh.
check() {
    deps=$1
    expect_known "that make test installs" "$for_tests" <"$work/of_tests" &&
        expect_known "at all" '[a-z_]+' <"$work/of_scripts"
}

# ---- each way to call a program is seen ----

cat >"$work/called.sh" <<'END'
one <file | two 2>&1 && ! three || four; (five) # not
if six; then A=1 seven "$(eight 'not' | nine)"; elif ten; then :; fi
case $x in not | not) eleven ;; *) twelve "a ) $(thirteen)" ;; esac
for not in not $(fourteen); do fifteen; done
xargs -d '\n' sixteen -n 1 <<<"not" | env -u NOT B=2 seventeen
own() { eighteen "${x:-not}"; }
own $((not + (1 < 2))) "not; not | not" 'not; not' \
    not && nineteen
nineteen <<-WORDS | twenty
	not; $(not)
	WORDS
words=(not not) text="not
not" && twenty_one >not && command -v not || command twenty_two
END
wanted='one two three four five six seven eight nine ten eleven twelve thirteen
fourteen fifteen xargs sixteen env seventeen eighteen nineteen twenty
twenty_one twenty_two'
found=$(in_shell "$work/called.sh" | sed 's/ .*//' | awk '!seen[$0]++' |
    grep -vx ':' | xargs)
[[ $found == "$(xargs <<<"$wanted")" ]] || {
    printf '%s\n' "in a script were found:" "$found" "and not:" "$wanted"
    exit 1
}
printf '%s\n' 'subprocess.run(' '    ["one", "not"])' \
    'const x = spawnSync("two", ["not"]) + execFileSync("three")' \
    >"$work/called.py"
found=$(in_programs "$work/called.py" | sed 's/ .*//' | xargs)
[[ $found == "one two three" ]] || {
    echo "in a program were found: $found"
    exit 1
}

# ---- the lists here are true ----

if dpkg-query -W dpkg >"$work/packages" 2>&1; then
    # shellcheck disable=SC2046 # a list of words is meant
    dpkg-query -L $(dpkg-query -W -f '${Essential} ${Package}\n' |
        sed -n 's/^yes //p') | sed -n 's,.*bin/,,p' | sort -u >"$work/debian"
    # A link of the alternatives belongs to no package.
    printf '%s\n' awk nawk pager which >>"$work/debian"
    for name in $essential; do
        grep -qxF "$name" "$work/debian" || {
            echo "$name is not in one of Debian's essential packages"
            exit 1
        }
    done
fi

# planted PACKAGE PROGRAM: without the package, the program is missed.
planted() {
    sed "/^$1  /d" "$source/scripts/deps.sh" >"$work/deps.sh"
    if check "$work/deps.sh" >"$work/log" ||
            ! grep -q "^$2, called at .* is in no group" "$work/log"; then
        echo "without $1 nothing says that $2 is missing:"
        cat "$work/log"
        exit 1
    fi
}

read_calls
check "$source/scripts/deps.sh"
planted curl curl
planted iproute2 ip
planted afl++ afl-fuzz
echo "$(cat "$work/of_tests" "$work/of_scripts" | wc -l) calls of" \
    "$(cut -d ' ' -f 1 "$work/of_tests" "$work/of_scripts" | sort -u |
        wc -l) programs"
