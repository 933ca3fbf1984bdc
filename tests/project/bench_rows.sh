#!/bin/sh
# The table of all layouts runs, with a peer that is compiled apart, and a peer
# that forgets keys is refused. No time decides.
#
#     bench_rows.sh BENCH SOURCE
set -eu
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
bench=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# An exact peer: the hashes in a row.
cat >"$work/peer.c" <<'END'
#include "peer.h"

#include <stdlib.h>
#include <string.h>

typedef struct row {
    size_t count;
    uint64_t hashes[4000];
} row;

static void *make(uint64_t items, double fp_rate)
{
    return items < 4000 && fp_rate > 0 ? calloc(1, sizeof(row)) : NULL;
}

static void *copy(const void *filter)
{
    return memcpy(make(1, 1), filter, sizeof(row));
}

static uint64_t *find(row *in, uint64_t hash)
{
    for (size_t i = 0; i < in->count; i++)
        if (in->hashes[i] == hash)
            return &in->hashes[i];
    return NULL;
}

static void add(void *filter, const uint64_t *hashes, size_t count,
                uint8_t *answers)
{
    row *to = filter;
    for (size_t i = 0; i < count; i++) {
        answers[i] = find(to, hashes[i]) == NULL;
        to->hashes[to->count++] = hashes[i];
    }
}

static void has(void *filter, const uint64_t *hashes, size_t count,
                uint8_t *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = find(filter, hashes[i]) != NULL;
#ifdef FORGETS
    answers[count - 1] = 0;
#endif
}

static void take_out(void *filter, const uint64_t *hashes, size_t count,
                     uint8_t *answers)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t *place = find(filter, hashes[i]);
        answers[i] = place != NULL;
        if (place != NULL)
            *place = 0;
    }
}

const bench_peer *bench_peer_row(size_t index)
{
    static const bench_peer mine = {.name = "mine",
                                    .make = make,
                                    .copy = copy,
                                    .discard = free,
                                    .add = add,
                                    .has = has,
                                    .remove = take_out};
    return index == 0 ? &mine : NULL;
}
END

# peer NAME [OPTION...]: makes NAME.so
peer() {
    name=$1
    shift
    "${CC:-cc}" -std=c11 -shared -fPIC "$@" -I"$source/bench/rows" \
        "$work/peer.c" -o "$work/$name.so"
}

peer mine
"$bench" --quick --only rows --items 2000 --peer "$work/mine.so" \
    "$work/rows.json" 2>"$work/log" || { cat "$work/log" && exit 1; }

# Each layout has each operation that it can do, and is asked for each answer;
# so has the peer.
python3 - "$work/rows.json" <<'END'
import json
import sys

found = {}
for figure in json.load(open(sys.argv[1], encoding="utf-8"))["figures"]:
    if figure["unit"] == "ns":
        assert figure["median"] > 0, figure
        found.setdefault(figure["subject"], set()).add(
            (figure["operation"], figure.get("answer")))
asked = {("has", "seen"), ("has", "never")}
batches = {("has, batches", "seen"), ("has, batches", "never")}
added = {("add", "new")}
inlined = {("inline has", "seen"), ("inline has", "never"),
           ("inline looker", "seen"), ("inline looker", "never"),
           ("inline add", "new"), ("inline adder", "new")}
usual = asked | batches | added | {("add, batches", "new")}
removed = {("remove", "seen")}
wanted = {"blocked": usual | inlined, "split_block": usual | inlined,
          "bloom": usual, "counting": usual | removed,
          "fingerprint": usual | removed,
          "sealed": asked | batches | {("build", "new")}, "grown": usual,
          "told late": usual, "mine": asked | added | removed}
for subject, operations in wanted.items():
    assert found[subject] == operations, (subject, found[subject] ^ operations)
END
python3 "$source/bench/report/rows.py" "$work/rows.json" >"$work/tables"
grep -q '^| mine: remove, seen ' "$work/tables"
grep -q '^| fingerprint: ns a key' "$work/tables"

# planted: a peer that forgets a key
peer forgets -DFORGETS
if "$bench" --quick --only rows --items 2000 --peer "$work/forgets.so" \
    "$work/none.json" 2>"$work/log"; then
    echo "a peer that forgets a key must not pass"
    exit 1
fi
grep -q 'mine has seen' "$work/log"
