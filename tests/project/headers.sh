#!/bin/sh
# Each prototype of the public headers has a comment of its own right above it,
# which says in which threads it may run; no header is over 500 lines; and none
# mentions a file that is not installed. A header of extra/ opens with what that
# means. A program written from the headers alone compiles as C and C++ of each
# standard, by each compiler that is here, without a warning; and no struct that
# crosses the border has padding, which a later field could take unseen.
#
#     headers.sh <source folder>
set -eu
export LC_ALL=C
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Says what is wrong with the headers of a folder.
check() {
    awk '
        FNR == 1 { comment = ""; is_ended = 0 }
        FNR == 501 { print FILENAME ": over 500 lines" }
        FNR == 4 && FILENAME ~ /extra/ && !/without a promise/ {
            print FILENAME ": does not say that it is extra"
        }
        /src\// { print FILENAME ":" FNR ": names a private file" }
        /^\/\*/ { comment = "" }
        /^\/\*/, /\*\/$/ { comment = comment " " $0; is_ended = /\*\/$/; next }
        /^SEENSET_API/ {
            if (!is_ended)
                print FILENAME ":" FNR ": has no comment of its own"
            else if (comment !~ /Threads:/ &&
                FILENAME !~ /(plan|formulas|url|queue(_[a-z]+)?)\.h$/)
                print FILENAME ":" FNR ": does not say which threads"
        }
        { is_ended = 0 }' "$1"/*.h "$1"/extra/*.h
}

check "$source/include/seenset" >"$work/wrong"
cat "$work/wrong"
[ ! -s "$work/wrong" ]

# planted SED MESSAGE: seenset.h changed so is found.
planted() {
    rm -rf "$work/planted" && mkdir -p "$work/planted/extra"
    sed "$1" "$source/include/seenset/seenset.h" >"$work/planted/seenset.h"
    sed "$1" "$source/include/seenset/extra/raw.h" >"$work/planted/extra/raw.h"
    check "$work/planted" | grep -q "$2" || {
        echo "a planted fault was missed: $2"
        exit 1
    }
}
planted 's/^SEENSET_API int seenset_add(/\n&/' 'no comment of its own'
planted 's/Threads: ends\.//' 'does not say which threads'
planted '2s/$/ see src\/set/' 'private file'
planted '2s/$/'"$(printf '%500s' | sed 's/ /\\n/g')"'/' 'over 500 lines'
planted 's/without a promise/for good/' 'does not say that it is extra'

# ---- a program, by standard ----

cat >"$work/program.c" <<'END'
#include <seenset/extra/bits.h>
#include <seenset/extra/formulas.h>
#include <seenset/extra/inline.h>
#include <seenset/extra/raw.h>
#include <seenset/queue.h>
#include <seenset/url.h>
#include <string.h>

static int show(void *context, const seenset_queue_listed *item)
{
    *(double *)context += item->seconds;
    return 0;
}

static void count(void *context, const seenset *set)
{
    (void)set;
    ++*(unsigned *)context;
}

static int crawl(const char *dir, seenset_queue_item *item)
{
    seenset_queue *queue;
    seenset_queue_options options;
    seenset_queue_nack_options later;
    double waits = 0;
    memset(&options, 0, sizeof options);
    memset(&later, 0, sizeof later);
    options.flags = SEENSET_QUEUE_MUST_EXIST | SEENSET_QUEUE_KEEP_LEASES;
    later.delay_seconds = 2.5;
    later.flags = SEENSET_QUEUE_UNTRIED;
    int error = seenset_queue_open(&queue, dir, &options);
    if (error != SEENSET_OK)
        return error;
    if (seenset_queue_pop(queue, item) == 1)
        error = seenset_queue_nack(queue, item->lease, &later);
    if (error == SEENSET_OK)
        error = seenset_queue_list(queue, show, &waits);
    return seenset_queue_close(queue);
}

int main(int argc, char **argv)
{
    seenset *set;
    seenset_options options;
    seenset_info info;
    unsigned calls = 0;
    bool contains = false;
    seenset_queue_item item;
    memset(&options, 0, sizeof options);
    memset(&item, 0, sizeof item);
    options.capacity_items = 1000;
    options.flags = SEENSET_FLAG_SHARED | SEENSET_FLAG_ANY_RATE;
    options.at_capacity = count;
    options.at_capacity_context = &calls;
    if (seenset_new(&set, &options) != SEENSET_OK)
        return 1;
    for (int i = 0; i < argc; i++)
        if (seenset_add(set, argv[i], strlen(argv[i])) == SEENSET_ANSWER_NEW)
            calls++;
    int error = seenset_is_superset(set, set, &contains);
    if (error == SEENSET_OK && contains)
        error = seenset_get_info(set, &info, sizeof info);
    seenset_free(set);
    return error == SEENSET_OK && info.is_read_only ? crawl(argv[0], &item)
                                                    : error;
}
END
cp "$work/program.c" "$work/program.cpp"

# compiles COMPILER STANDARD FILE FLAG...: without a warning?
compiles() {
    compiler=$1
    standard=$2
    file=$3
    shift 3
    "$compiler" -std="$standard" -Wall -Wextra -pedantic -Wconversion -Werror \
        "$@" -I"$source/include" -fsyntax-only "$file"
}

rows=0
for row in "gcc c11" "gcc c17" "clang c11" "clang c17" "g++ c++17" \
    "g++ c++20" "clang++ c++17" "clang++ c++20"; do
    compiler=${row% *}
    standard=${row#* }
    command -v "$compiler" >"$work/found" || continue
    case $standard in
    c++*) file=$work/program.cpp ;;
    *) file=$work/program.c ;;
    esac
    compiles "$compiler" "$standard" "$file"
    rows=$((rows + 1))
done
[ "$rows" -ge 2 ] || { echo "no compiler of C and C++ is here" && exit 1; }
echo "$rows compilers and standards"

# Of 64 bits, as the layout has no padding there.
compiler=${CC:-cc}
if echo '#error no' | "$compiler" -xc -fsyntax-only - 2>"$work/log"; then
    echo "the compiler takes anything"
    exit 1
fi
case $(uname -m) in
*64) compiles "$compiler" c11 "$work/program.c" -Wpadded ;;
esac

# The planted faults: a conversion, and a struct with padding.
sed 's/^    options.capacity_items = 1000;/&\n    int less = options.flags;/' \
    "$work/program.c" >"$work/planted.c"
sed 's/^int main/struct hole { uint64_t a; bool b; };\n&/' \
    "$work/program.c" >"$work/hole.c"
for fault in "planted.c -Wconversion" "hole.c -Wpadded"; do
    if compiles "$compiler" c11 "$work/${fault% *}" "${fault#* }" \
        2>"$work/log"; then
        echo "a planted fault was missed: $fault"
        exit 1
    fi
done
