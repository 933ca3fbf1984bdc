#!/bin/sh
# The two files of `make amalgamation`, in a folder of their own, are all that
# the program of README.md needs: each compiler that is here takes them without
# a warning, and the program prints what README.md says. The same with what is
# left out by macros, and from C++, which includes the header alone.
#
#     amalgamation.sh <folder of the two files> <source folder>
set -eu
files=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$files/seenset.c" "$files/seenset.h" "$work"
cd "$work"

# shellcheck source=tests/project/pages/block.sh
. "$source/tests/project/pages/block.sh"
block c | sed 's|<seenset/seenset.h>|"seenset.h"|' >app.c
block text >expected
grep -q '"seenset.h"' app.c
[ -s expected ]

flags='-Wall -Wextra -pedantic -Werror'

# try COMPILER MACRO...: compiles both files as README.md says, and runs them.
try() {
    # shellcheck disable=SC2086 # flags are several
    "$@" -std=c11 -O0 $flags app.c seenset.c -lm -o app &&
        ./app >printed && cmp -s expected printed
}

# Each ends in a file of its own, so that they run side by side.
try "${CC:-cc}" -DSEENSET_NO_SIMD -DSEENSET_NO_THREADS -DSEENSET_NO_FILES
! nm app | grep -q 'pthread_create\|ss_blocked_avx2$\| seenset_save$' || {
    echo "a macro left nothing out"
    exit 1
}
for compiler in clang musl-gcc; do
    command -v "$compiler" >/dev/null || continue
    # shellcheck disable=SC2086
    "$compiler" -std=c11 -fsyntax-only $flags seenset.c
    echo "$compiler takes it"
done

printf '#include "seenset.h"\nint main() { return seenset_version() == 0; }\n' \
    >caller.cc
if command -v g++ >/dev/null; then
    # shellcheck disable=SC2086
    g++ -std=c++17 -fsyntax-only $flags -DSEENSET_EXTRA caller.cc
fi

# The planted faults: a name that two files have, and another answer.
echo 'static int runnable_kernel(void) { return 0; }' >>seenset.c
echo 'static int runnable_kernel(void) { return 1; }' >>seenset.c
if "${CC:-cc}" -std=c11 -fsyntax-only seenset.c 2>/dev/null; then
    echo "a name that stands twice was not noticed"
    exit 1
fi
echo "something else" >>printed
if cmp -s expected printed; then
    echo "the comparison can't fail: it missed a planted fault"
    exit 1
fi
