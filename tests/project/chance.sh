#!/bin/sh
# No test rests on chance: what is random in one has a seed that is written
# down, so that each run is the same. Words that make something else of each run
# are looked for in the tests, by language.
#
#     chance.sh SOURCE_FOLDER
#
# What it cannot see is a secret that `--keyed` or keyed=True makes. A test of
# whose keys a false positive could decide has a secret of its own:
#
#     (umask 077 && echo 000102030405060708090a0b0c0d0e0f >set.secret)
set -eu
export LC_ALL=C

in_c='(^|[^_[:alnum:]])(s?rand|l?rand48|s?random|getrandom|getentropy)\(|urandom'
in_c="$in_c|time\((NULL|0)\)"
in_python='(^|[^_.[:alnum:]])random\.(random|rand[a-z]*|choices?|shuffle|sample)\('
in_python="$in_python|Random\(\)|urandom|secrets\.|uuid[0-9]"
in_scripts='Math\.random|getRandomValues|randomBytes|randomUUID|randomInt'
in_shell='urandom|shuf |sort -R|date \+%[sN]'

# Each with its reason.
allowed='
tests/unit/file/temporary.c     stands for the function of the C library
tests/faults/out_of_memory/out_of_memory_kinds.c   a time in the future
tests/cli/queue/leases/workers_share_for_a_while.sh   how long, not what
tests/windows/command_killed.sh   how long, not what
tests/project/chance.sh         the words themselves
tests/project/pages/programs.sh       names of programs
'

# found_in FOLDER: "FILE:LINE: TEXT" of each in tests/.
found_in() (
    cd "$1"
    search() {
        name=$1
        shift
        grep -rnE --include="$name" "$@" tests || :
    }
    search '*.[ch]' "$in_c"
    search '*.py' "$in_python"
    search '*.mjs' "$in_scripts"
    search '*.sh' "$in_shell" | grep -v -e '--random-source'
)

# unexplained FOLDER: those in files that are not in the table.
unexplained() {
    found_in "$1" | sort | while IFS= read -r line; do
        echo "$allowed" | grep -q "^${line%%:*} " || echo "$line"
    done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The check sees what is planted, and no more than that.
mkdir -p "$work/tests/web"
plant() { # FILE LINE
    printf '%s\n' "$2" >"$work/tests/$1"
}
plant one.c 'srand((unsigned)time(NULL));'
plant two.py 'keys = random.sample(range(9), 3)'
plant three.py 'chance = random.Random()'
plant web/four.mjs 'const key = Math.random();'
plant five.sh "seed=\$(date +%s)"
plant seeded.py 'chance = random.Random(1); chance.random()'
plant seeded.c 'uint64_t some = test_random(&state);'
plant seeded.sh 'sort -R --random-source=source keys'
caught=$(unexplained "$work" | cut -d : -f 1 | tr '\n' ' ')
[ "$caught" = "tests/five.sh tests/one.c tests/three.py tests/two.py \
tests/web/four.mjs " ] || {
    echo "chance: of the planted ones it sees only: $caught" >&2
    exit 1
}

wrong=$(unexplained "$1")
[ -z "$wrong" ] || {
    echo "chance: each run of these is another; give them a seed:" >&2
    echo "$wrong" >&2
    exit 1
}
