/*
 * doubts.c - see doubts.h.
 */
#include "dedup/doubts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#define NO_PLACE UINT64_MAX     /* the slot is empty */
#define STRUCK (UINT64_MAX - 1) /* its line was printed */
/* Ranges are of the upper half of a hash's `low`. */
#define ALL_RANGES (UINT64_C(1) << 32)
#define AHEAD ((size_t)12)
#define OVERFLOWS 1 /* the table is full */

typedef struct table {
    doubt *slots;
    size_t slot_count, used; /* three quarters are filled */
    size_t slot_room;        /* the most slots there may be */
    uint64_t from, width;    /* the range that it is for */
    void *chunk;             /* room for one */
} table;

static size_t most_used(size_t slots)
{
    return slots - slots / 4;
}

static bool is_in_range(const table *into, wide_hash hash)
{
    return (hash.low >> 32) - into->from < into->width;
}

/* The slot of a hash, or the empty one where it belongs. There is one. */
static doubt *find(const table *in, wide_hash hash)
{
    size_t mask = in->slot_count - 1;
    size_t i = (size_t)hash.low & mask;
    while (in->slots[i].place != NO_PLACE &&
           (in->slots[i].hash.low != hash.low ||
            in->slots[i].hash.high != hash.high))
        i = (i + 1) & mask;
    return &in->slots[i];
}

/* Slots are anywhere in memory, so they are asked for ahead. */
static void prefetch(const table *in, wide_hash hash)
{
    __builtin_prefetch(&in->slots[hash.low & (in->slot_count - 1)], 1);
}

static void clear(table *all)
{
    for (size_t i = 0; i < all->slot_count; i++)
        all->slots[i].place = NO_PLACE;
    all->used = 0;
}

/* Chunks come latest first, so the first place is the lowest. */
static int add_doubts(void *context, const void *records, size_t count)
{
    table *into = context;
    const doubt *from = records;
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            prefetch(into, from[i + AHEAD].hash);
        if (!is_in_range(into, from[i].hash))
            continue;
        doubt *slot = find(into, from[i].hash);
        if (slot->place == NO_PLACE &&
            ++into->used > most_used(into->slot_count))
            return OVERFLOWS;
        if (slot->place > from[i].place)
            *slot = from[i];
    }
    return 0;
}

static int strike_printed(void *context, const void *records, size_t count)
{
    table *from = context;
    const wide_hash *printed = records;
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            prefetch(from, printed[i + AHEAD]);
        if (!is_in_range(from, printed[i]))
            continue;
        doubt *slot = find(from, printed[i]);
        if (slot->place != NO_PLACE)
            slot->place = STRUCK;
    }
    return 0;
}

static int show(const table *all, doubts_function *found, void *context)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < all->slot_count; i++)
        if (all->slots[i].place < STRUCK)
            result = found(context, all->slots[i].place);
    return result;
}

/* Fills the table with the next range of a bin that it takes. Returns 0, or -1
 * and errno. */
static int fill(table *into, const bins *doubted, unsigned bin)
{
    for (;;) {
        clear(into);
        int result = bins_visit(doubted, bin, into->chunk, add_doubts, into);
        if (result != OVERFLOWS)
            return result;
        into->width /= 2;
        if (into->width == 0) {
            errno = ENOMEM;
            return -1;
        }
    }
}

/* A small table, where that is enough, stays in the processor's cache. */
static void start_bin(table *with, uint64_t records)
{
    with->slot_count = 4; /* so that one slot stays empty */
    while (with->slot_count < with->slot_room &&
           most_used(with->slot_count) < records)
        with->slot_count *= 2;
    with->width = ALL_RANGES;
}

static int settle_bin(table *with, const bins *printed, const bins *doubted,
                      unsigned bin, doubts_function *found, void *context)
{
    int result = 0;
    start_bin(with, bins_count(doubted, bin));
    for (with->from = 0; result == 0 && with->from < ALL_RANGES;
         with->from += with->width) {
        result = fill(with, doubted, bin);
        if (result == 0)
            result =
                bins_visit(printed, bin, with->chunk, strike_printed, with);
        if (result == 0)
            result = show(with, found, context);
    }
    return result;
}

int doubts_settle(const bins *printed, const bins *doubted, size_t table_slots,
                  doubts_function *found, void *context)
{
    table with = {.slots = malloc(table_slots * sizeof *with.slots),
                  .slot_room = table_slots,
                  .chunk = malloc(BINS_CHUNK_BYTES)};
    int result = with.slots != NULL && with.chunk != NULL ? 0 : -1;
    for (unsigned bin = 0; result == 0 && bin < BINS_COUNT; bin++)
        if (bins_count(doubted, bin) > 0)
            result = settle_bin(&with, printed, doubted, bin, found, context);
    free(with.slots);
    free(with.chunk);
    return result;
}
