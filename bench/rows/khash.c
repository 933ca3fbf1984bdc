/*
 * khash.c - htslib's khash as a set of 64-bit numbers: exact, so it can remove,
 * and the only such peer in C that Debian has.
 */
#include "rows.h"

#ifdef BENCH_KHASH
#include <htslib/khash.h>
#include <stdlib.h>
#include <string.h>

/* The macros are khash's own, and so are their conversions. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-function"
KHASH_SET_INIT_INT64(hash)

static size_t flag_bytes(const khash_t(hash) * of)
{
    return __ac_fsize(of->n_buckets) * sizeof *of->flags;
}
#pragma GCC diagnostic pop

/* It grows as keys come; the rate is always 0. */
static void *make(uint64_t items, double fp_rate)
{
    (void)items;
    (void)fp_rate;
    return kh_init(hash);
}

static size_t key_bytes(const khash_t(hash) * of)
{
    return of->n_buckets * sizeof *of->keys;
}

static void *copy(const void *filter)
{
    const khash_t(hash) *from = filter;
    khash_t(hash) *made = kh_init(hash);
    *made = *from;
    made->flags = take(flag_bytes(from), 1);
    made->keys = take(key_bytes(from), 1);
    memcpy(made->flags, from->flags, flag_bytes(from));
    memcpy(made->keys, from->keys, key_bytes(from));
    return made;
}

static void discard(void *filter)
{
    kh_destroy(hash, filter);
}

static double bits(const void *filter)
{
    return (double)(flag_bytes(filter) + key_bytes(filter)) * 8;
}

static void add(void *filter, const uint64_t *hashes, size_t count,
                uint8_t *answers)
{
    for (size_t i = 0; i < count; i++) {
        int is_new = 0;
        (void)kh_put(hash, filter, hashes[i], &is_new);
        answers[i] = is_new > 0;
    }
}

static void has(void *filter, const uint64_t *hashes, size_t count,
                uint8_t *answers)
{
    const khash_t(hash) *table = filter;
    for (size_t i = 0; i < count; i++)
        answers[i] = kh_get(hash, table, hashes[i]) != kh_end(table);
}

static void remove_keys(void *filter, const uint64_t *hashes, size_t count,
                        uint8_t *answers)
{
    khash_t(hash) *table = filter;
    for (size_t i = 0; i < count; i++) {
        khint_t place = kh_get(hash, table, hashes[i]);
        answers[i] = place != kh_end(table);
        if (answers[i])
            kh_del(hash, table, place);
    }
}

void rows_add_khash(contestants *list)
{
    static const bench_peer row = {.name = "khash",
                                   .make = make,
                                   .copy = copy,
                                   .discard = discard,
                                   .bits = bits,
                                   .add = add,
                                   .has = has,
                                   .remove = remove_keys};
    contestant_add(list, &row, "peer");
}

#else
void rows_add_khash(contestants *list)
{
    (void)list;
    fputs("bench: khash is left out: it is not installed\n", stderr);
}
#endif
