#!/bin/sh
# Reads from the command and from both libraries, as they were linked, that
# hardening took effect: each may be anywhere in memory, addresses of functions
# are read-only, no memory is both written and run, stack frames are guarded,
# calls of the C library check their buffers. And that no library prints or
# exits, runs a program, talks to a network or reads the environment.
#
#     hardening.sh seenset libseenset.so libseenset-queue.so <source folder>
#
# Then it tries itself on a small program built with each of these missing in
# turn, and looks whether a user's own CFLAGS win over ours.
set -eu
export LC_ALL=C
command=$1
libraries="$2 $3"
source=$4
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# guards FILE KIND: the names of the guards that FILE lacks, one a line;
# KIND is "program" or "library".
guards() {
    readelf -W --file-header --program-headers --dynamic "$1" >"$work/elf"
    readelf -W --dyn-syms "$1" >"$work/names"
    has "position independent" elf '^ *Type: *DYN'
    [ "$2" = library ] || has "PIE" elf 'FLAGS_1.*\<PIE\>'
    has "read-only relocations" elf '^ *GNU_RELRO '
    has "all names bound at start" elf 'FLAGS_1.*\<NOW\>'
    has "a stack that is not run" elf '^ *GNU_STACK .* RW  *0x'
    lacks "no memory written and run" elf '^ *[A-Z_]* *0x.* RWE '
    lacks "no folder to find libraries in" elf '(RPATH|RUNPATH)'
    has "stack guards" names '__stack_chk_fail'
    grep -v '__stack_chk' "$work/names" >"$work/calls"
    has "checked calls" calls '__[a-z]*_chk\>'
}

has() {
    grep -Eq "$3" "$work/$2" || echo "$1"
}

lacks() {
    ! grep -Eq "$3" "$work/$2" || echo "$1"
}

whole() {
    guards "$1" "$2" >"$work/missing"
    if [ -s "$work/missing" ]; then
        echo "$1 lacks:"
        cat "$work/missing"
        exit 1
    fi
    echo "$(basename "$1"): hardened"
}

# The functions FILE calls that a library has no business with.
forbidden() {
    nm -D --undefined-only "$1" | sed 's/.* //; s/@.*//' |
        grep -Ex -e '(secure_)?getenv|setlocale|stdout|stderr' \
            -e '(__)?v?f?printf(_chk)?|f?puts|f?putc(har)?|perror' \
            -e '_?exit|_Exit|abort|signal|sigaction' \
            -e 'system|popen|v?fork|exec.*|posix_spawn.*|socket|connect' || true
}

whole "$command" program
for library in $libraries; do
    whole "$library" library
    wrong=$(forbidden "$library")
    [ -z "$wrong" ] || {
        echo "$library calls: $wrong"
        exit 1
    }
done

# ---- planted faults --------------------------------------------------------

cat >"$work/tiny.c" <<'END'
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char name[16];
    strcpy(name, argv[argc - 1]);
    return puts(name) < 0;
}
END
tiny() {
    "$cc" -O2 -w -fPIE -pie -fstack-protector-strong -U_FORTIFY_SOURCE \
        -D_FORTIFY_SOURCE=2 -Wl,-z,relro,-z,now,-z,noexecstack "$@" \
        "$work/tiny.c" -o "$work/tiny"
    guards "$work/tiny" program >"$work/missing"
}

# catches GUARD FLAG...: built with FLAG, GUARD is found to be missing.
catches() {
    guard=$1
    shift
    tiny "$@"
    grep -qx "$guard" "$work/missing" || {
        echo "a program built with $* passes as having: $guard"
        exit 1
    }
}

tiny
[ ! -s "$work/missing" ] || {
    echo "a hardened program is said to lack:"
    cat "$work/missing"
    exit 1
}
catches "position independent" -fno-pie -no-pie
catches "PIE" -fno-pie -no-pie
catches "read-only relocations" -Wl,-z,norelro
catches "all names bound at start" -Wl,-z,lazy
catches "a stack that is not run" -Wl,-z,execstack
catches "no memory written and run" -Wl,-z,execstack
catches "no folder to find libraries in" -Wl,-rpath,/tmp
catches "stack guards" -fno-stack-protector
catches "checked calls" -U_FORTIFY_SOURCE
cat >"$work/loud.c" <<'END'
#include <stdio.h>
#include <stdlib.h>

void loud(void);
void loud(void)
{
    if (getenv("LOUD") != NULL && fprintf(stderr, "%p\n", (void *)loud) > 0)
        exit(1);
}
END
"$cc" -O2 -fPIC -shared "$work/loud.c" -o "$work/loud.so"
for name in getenv exit stderr; do
    forbidden "$work/loud.so" | grep -qx "$name" || {
        echo "a library that calls $name passes as one that does not"
        exit 1
    }
done
echo "12 planted faults found"

# ---- a user's own flags ----------------------------------------------------

CC=$cc CFLAGS="-fno-stack-protector -D_FORTIFY_SOURCE=1" \
    LDFLAGS="-Wl,-z,lazy" \
    cmake -S "$source" -B "$work/own" -DSEENSET_TESTS=OFF \
    -DCMAKE_BUILD_TYPE=Release >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}

# decided FILE PATTERN FLAG: of all flags in FILE like PATTERN, FLAG is last.
decided() {
    last=$(grep -o -e "$2" "$1" | tail -n 1)
    [ "$last" = "$3" ] || {
        echo "the user said $3, and got $last"
        exit 1
    }
}
grep -m 1 '"command".*error\.c' "$work/own/compile_commands.json" \
    >"$work/compile"
decided "$work/compile" '-f[a-z-]*stack-protector[a-z-]*' -fno-stack-protector
decided "$work/compile" '-[UD]_FORTIFY_SOURCE[=0-9]*' -D_FORTIFY_SOURCE=1
decided "$work/own/fronts/cli/CMakeFiles/seenset_command.dir/link.txt" \
    '-z,\(now\|lazy\)' -z,lazy
echo "a user's own flags win"
