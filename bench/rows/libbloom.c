/*
 * libbloom.c - libbloom, the classic filter that Debian has. It hashes 8 bytes
 * once more, as it takes no hashes. Its bits are no field for callers, but
 * there is no other way to copy it.
 */
#include "rows.h"

#ifdef BENCH_LIBBLOOM
#include <bloom.h>
#include <stdlib.h>
#include <string.h>

static void *make(uint64_t items, double fp_rate)
{
    struct bloom *made = take(1, sizeof *made);
    require(bloom_init(made, (int)items, fp_rate) == 0,
            "libbloom takes 1,000 keys at least");
    return made;
}

static void *copy(const void *filter)
{
    const struct bloom *from = filter;
    struct bloom *made = take(1, sizeof *made);
    size_t bytes = (size_t)from->bytes;
    *made = *from;
    made->bf = take(bytes, 1);
    memcpy(made->bf, from->bf, bytes);
    return made;
}

static void discard(void *filter)
{
    bloom_free(filter);
    free(filter);
}

static double bits(const void *filter)
{
    return (double)((const struct bloom *)filter)->bytes * 8;
}

/* bloom_add answers 0 for a new key, as bloom_check does. */
static void add(void *filter, const uint64_t *hashes, size_t count,
                uint8_t *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = bloom_add(filter, &hashes[i], sizeof *hashes) == 0;
}

static void has(void *filter, const uint64_t *hashes, size_t count,
                uint8_t *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)bloom_check(filter, &hashes[i], sizeof *hashes);
}

void rows_add_libbloom(contestants *list)
{
    static const bench_peer row = {.name = "libbloom",
                                   .make = make,
                                   .copy = copy,
                                   .discard = discard,
                                   .bits = bits,
                                   .add = add,
                                   .has = has};
    contestant_add(list, &row, "peer");
}

#else
void rows_add_libbloom(contestants *list)
{
    (void)list;
    fputs("bench: libbloom is left out: it is not installed\n", stderr);
}
#endif
