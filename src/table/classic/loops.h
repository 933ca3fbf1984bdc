/*
 * loops.h - batches of keys with k places anywhere in the table: the fetches
 * and the tests of bloom.c and counting.c, each with its own idea of a place.
 *
 *     key i          its places are fetched
 *     key i - AHEAD  they are read, or written
 *
 * A key that was never added is answered by its first or second place. So
 * lookups among bits have three stages, STAGE keys apart: fetch two places;
 * test them and fetch the others where both are set; test the others. Among
 * counters that takes a fifth longer for keys that were added.
 *
 * The functions are constants where these are called, so a call costs nothing.
 */
#ifndef SS_TABLE_CLASSIC_LOOPS_H
#define SS_TABLE_CLASSIC_LOOPS_H

#include "table/batch_feed.h"
#include "table/table.h"

/* Places first, ..., last - 1 of the key whose hash is x: fetches them; or are
 * all of them set? */
typedef void ss_classic_fetch(const ss_table *table, uint64_t x, uint32_t first,
                              uint32_t last);
typedef bool ss_classic_test(const ss_table *table, uint64_t x, uint32_t first,
                             uint32_t last);

/* What is done with a key whose places are there, and its answer. */
typedef bool ss_classic_work(ss_table *table, uint64_t x);

/*
 * Fetches the places of a single key before the first is looked at, unless a
 * near cache holds the table of size_bits bits: there it would take half as
 * long again. Elsewhere the misses are then under way together, whatever the
 * processor guesses of the answer. More than FIRST_PLACES would be wasted on a
 * key that was never added.
 */
static SS_ALWAYS_INLINE void ss_classic_fetch_first(const ss_table *table,
                                                    uint64_t size_bits,
                                                    uint64_t x,
                                                    ss_classic_fetch *fetch)
{
    enum {
        NEAR_BITS = 1 << 23,
        FIRST_PLACES = 8
    };
    uint32_t k = table->hash_count;
    if (__builtin_expect(size_bits > NEAR_BITS, 0))
        fetch(table, x, 0, k < FIRST_PLACES ? k : FIRST_PLACES);
}

static SS_ALWAYS_INLINE size_t ss_classic_each_loop(
    ss_table *table, const ss_batch *batch, bool is_hashed,
    ss_classic_fetch *fetch, ss_classic_work *work, uint8_t *answers)
{
    enum {
        AHEAD = 8
    }; /* times k words in flight */
    uint64_t ring[SS_RING];
    uint32_t k = table->hash_count;
    size_t ones = 0;
    ss_batch_start(batch, is_hashed, ring);
    for (size_t i = 0; i < batch->count + AHEAD; i++) {
        if (i < batch->count)
            fetch(table, ss_batch_feed(batch, i, is_hashed, ring), 0, k);
        if (i < AHEAD)
            continue;
        uint64_t x = ss_batch_take(batch, i - AHEAD, is_hashed, ring);
        answers[i - AHEAD] = work(table, x);
        ones += answers[i - AHEAD];
    }
    return ones;
}

static SS_ALWAYS_INLINE size_t ss_classic_has_loop(
    const ss_table *table, const ss_batch *batch, bool is_hashed,
    ss_classic_fetch *fetch, ss_classic_test *has, uint8_t *is_seen)
{
    enum {
        FIRST_LOOK = 2,
        STAGE = SS_AHEAD / 2
    };
    uint64_t ring[SS_RING];
    uint32_t k = table->hash_count;
    uint32_t first = k < FIRST_LOOK ? k : FIRST_LOOK;
    size_t seen = 0;
    ss_batch_start(batch, is_hashed, ring);
    for (size_t i = 0; i < batch->count + 2 * STAGE; i++) {
        if (i < batch->count)
            fetch(table, ss_batch_feed(batch, i, is_hashed, ring), 0, first);
        if (i >= STAGE && i - STAGE < batch->count) {
            uint64_t x = ss_batch_take(batch, i - STAGE, is_hashed, ring);
            is_seen[i - STAGE] = has(table, x, 0, first);
            if (is_seen[i - STAGE])
                fetch(table, x, first, k);
        }
        if (i >= 2 * STAGE && is_seen[i - 2 * STAGE]) {
            uint64_t x = ss_batch_take(batch, i - 2 * STAGE, is_hashed, ring);
            is_seen[i - 2 * STAGE] = has(table, x, first, k);
            seen += is_seen[i - 2 * STAGE];
        }
    }
    return seen;
}

/* The same where it is not known yet whether hashes are ready: both forms. */
static SS_ALWAYS_INLINE size_t ss_classic_each_many(ss_table *table,
                                                    const ss_batch *batch,
                                                    ss_classic_fetch *fetch,
                                                    ss_classic_work *work,
                                                    uint8_t *answers)
{
    return batch->hashes != NULL
               ? ss_classic_each_loop(table, batch, true, fetch, work, answers)
               : ss_classic_each_loop(table, batch, false, fetch, work,
                                      answers);
}

static SS_ALWAYS_INLINE size_t ss_classic_has_many(const ss_table *table,
                                                   const ss_batch *batch,
                                                   ss_classic_fetch *fetch,
                                                   ss_classic_test *has,
                                                   uint8_t *is_seen)
{
    return batch->hashes != NULL
               ? ss_classic_has_loop(table, batch, true, fetch, has, is_seen)
               : ss_classic_has_loop(table, batch, false, fetch, has, is_seen);
}

#endif
