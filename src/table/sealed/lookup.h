/*
 * lookup.h - how a fuse table is asked: a key at a time, and a batch.
 *
 * A lookup is one chain of multiplications and then three or four loads that
 * wait for nothing but it, so the processor has them under way at once, and
 * those of the next lookups as well, as far ahead as it looks. So each
 * instruction that is saved here lets it look further; on a large table that
 * is what a lookup costs. Therefore there is a loop for each arity and for each
 * way to read a slot, and the file is compiled once more for processors that
 * shift by any register (bmi2.c).
 *
 * A file that defines TWIN_ROW and TWIN_NAME includes it.
 */
#include "hash/xxh3.h"
#include "table/batch_feed.h"
#include "table/sealed/table.h"
#include "table/table.h"

/* How slots are read: whole ones from one byte, or from a word; packed ones by
 * a load of four bytes, if a slot that begins in the first of them ends there,
 * or of eight. A short load crosses fewer lines. */
typedef enum reading {
    BYTES,
    WHOLE,
    SHORT,
    LONG
} reading;

enum {
    SHORT_BITS = 32 - 7
};

/* Asks first what most sets are. */
static SS_ALWAYS_INLINE reading reading_of(unsigned fingerprint_bits)
{
    if (fingerprint_bits % 8 != 0)
        return fingerprint_bits <= SHORT_BITS ? SHORT : LONG;
    if (ss_fuse_is_packed(fingerprint_bits))
        return SHORT;
    return fingerprint_bits == 8 ? BYTES : WHOLE;
}

static SS_ALWAYS_INLINE uint64_t short_slot(const uint64_t *words, uint64_t bit,
                                            unsigned fingerprint_bits)
{
    uint32_t loaded;
    if (!ss_bits_is_little_endian())
        return ss_fuse_packed_slot(words, bit, fingerprint_bits);
    memcpy(&loaded, (const uint8_t *)words + bit / 8, sizeof loaded);
    return loaded >> (bit % 8);
}

/* The slot that begins at bit number `bit`. Bits above it are not cleared. how
 * is a constant in each call. */
static SS_ALWAYS_INLINE uint64_t slot_at(const uint64_t *words, uint64_t bit,
                                         unsigned fingerprint_bits, reading how)
{
    if (how == BYTES && ss_bits_is_little_endian())
        return ((const uint8_t *)words)[bit / 8];
    if (how == BYTES || how == WHOLE)
        return ss_fuse_whole_slot(words, bit);
    return how == SHORT ? short_slot(words, bit, fingerprint_bits)
                        : ss_fuse_packed_slot(words, bit, fingerprint_bits);
}

/* Where the slots of a hash begin, and what their XOR is if it is there. */
typedef struct question {
    uint64_t bits[SS_FUSE_MAX_ARITY];
    uint64_t fingerprint;
} question;

/* arity, how: constants where it is called. */
static SS_ALWAYS_INLINE question ask(const ss_fuse_shape *shape, uint64_t hash,
                                     unsigned arity, reading how)
{
    const unsigned bits = how == BYTES ? 8 : shape->fingerprint_bits;
    question out;
    uint64_t fields = ss_fuse_places(ss_fuse_mix(hash, shape->seed), arity,
                                     shape->segment_length,
                                     ss_fuse_first_slots(shape), out.bits);
    for (unsigned i = 0; i < arity; i++)
        out.bits[i] *= bits;
    out.fingerprint = ss_fuse_fingerprint(fields, bits);
    return out;
}

static SS_ALWAYS_INLINE bool answer(const uint64_t *words, const question *of,
                                    unsigned fingerprint_bits, unsigned arity,
                                    reading how)
{
    const uint64_t mask = (UINT64_C(1) << fingerprint_bits) - 1;
    uint64_t slots = of->fingerprint;
    for (unsigned i = 0; i < arity; i++)
        slots ^= slot_at(words, of->bits[i], fingerprint_bits, how);
    return (slots & mask) == 0;
}

static SS_ALWAYS_INLINE bool test(const ss_fuse_shape *shape,
                                  const uint64_t *words, uint64_t hash,
                                  unsigned arity, reading how)
{
    const question asked = ask(shape, hash, arity, how);
    return answer(words, &asked, how == BYTES ? 8 : shape->fingerprint_bits,
                  arity, how);
}

static SS_ALWAYS_INLINE int has_with(const ss_table *table, uint64_t hash,
                                     unsigned arity)
{
    const ss_fuse_shape *shape = &table->fuse;
    switch (reading_of(shape->fingerprint_bits)) {
    case BYTES:
        return test(shape, table->words, hash, arity, BYTES);
    case WHOLE:
        return test(shape, table->words, hash, arity, WHOLE);
    case SHORT:
        return test(shape, table->words, hash, arity, SHORT);
    default:
        return test(shape, table->words, hash, arity, LONG);
    }
}

static int has(const ss_table *table, uint64_t hash)
{
    return table->fuse.arity == 3 ? has_with(table, hash, 3)
                                  : has_with(table, hash, 4);
}

static int has_key(const ss_table *table, const void *key, size_t key_len)
{
    return has(table, ss_hash_key(key, key_len));
}

/* ---- batches ---- */

enum {
    NEAR_WORDS = 1 << 15 /* 256 KiB: a table that the next cache has */
};

/* Answers key by key, without prefetching: for a table in a near cache. arity,
 * how and is_hashed are constants in each call. */
static SS_ALWAYS_INLINE size_t has_near(const ss_table *table,
                                        const ss_batch *batch, uint8_t *is_seen,
                                        unsigned arity, reading how,
                                        bool is_hashed)
{
    const ss_fuse_shape shape = table->fuse; /* is_seen can't point at it */
    const uint64_t *words = table->words;
    const size_t count = batch->count;
    uint64_t keys[SS_RING];
    size_t seen = 0;
    ss_batch_start(batch, is_hashed, keys);
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = ss_batch_feed(batch, i, is_hashed, keys);
        is_seen[i] = test(&shape, words, hash, arity, how);
        seen += is_seen[i];
    }
    return seen;
}

static SS_ALWAYS_INLINE question fetch(const ss_fuse_shape *shape,
                                       const uint64_t *words, uint64_t hash,
                                       unsigned arity, reading how)
{
    const question asked = ask(shape, hash, arity, how);
    for (unsigned i = 0; i < arity; i++)
        SS_PREFETCH((const uint8_t *)words + asked.bits[i] / 8);
    return asked;
}

/* Prefetches the lines of SS_AHEAD keys. arity, how and is_hashed are constants
 * in each call. */
static SS_ALWAYS_INLINE size_t has_far(const ss_table *table,
                                       const ss_batch *batch, uint8_t *is_seen,
                                       unsigned arity, reading how,
                                       bool is_hashed)
{
    const ss_fuse_shape shape = table->fuse;
    const uint64_t *words = table->words;
    const size_t count = batch->count;
    uint64_t keys[SS_RING];
    question ring[SS_AHEAD];
    size_t seen = 0;
    ss_batch_start(batch, is_hashed, keys);
    for (size_t i = 0; i < count + SS_AHEAD; i++) {
        question *at = &ring[i % SS_AHEAD];
        if (i >= SS_AHEAD) {
            is_seen[i - SS_AHEAD] =
                answer(words, at, shape.fingerprint_bits, arity, how);
            seen += is_seen[i - SS_AHEAD];
        }
        if (i < count)
            *at = fetch(&shape, words, ss_batch_feed(batch, i, is_hashed, keys),
                        arity, how);
    }
    return seen;
}

static SS_ALWAYS_INLINE size_t has_all(const ss_table *table,
                                       const ss_batch *batch, uint8_t *is_seen,
                                       unsigned arity, reading how,
                                       bool is_hashed)
{
    return ss_fuse_word_count(&table->fuse) <= NEAR_WORDS
               ? has_near(table, batch, is_seen, arity, how, is_hashed)
               : has_far(table, batch, is_seen, arity, how, is_hashed);
}

static SS_ALWAYS_INLINE size_t has_many_of(const ss_table *table,
                                           const ss_batch *batch,
                                           uint8_t *is_seen, unsigned arity,
                                           bool is_hashed)
{
    switch (reading_of(table->fuse.fingerprint_bits)) {
    case SHORT:
        return has_all(table, batch, is_seen, arity, SHORT, is_hashed);
    case LONG:
        return has_all(table, batch, is_seen, arity, LONG, is_hashed);
    default:
        return has_all(table, batch, is_seen, arity, WHOLE, is_hashed);
    }
}

static size_t has_many(const ss_table *table, const ss_batch *batch,
                       uint8_t *is_seen)
{
    bool is_hashed = batch->hashes != NULL;
    if (table->fuse.arity == 3)
        return is_hashed ? has_many_of(table, batch, is_seen, 3, true)
                         : has_many_of(table, batch, is_seen, 3, false);
    return is_hashed ? has_many_of(table, batch, is_seen, 4, true)
                     : has_many_of(table, batch, is_seen, 4, false);
}

const ss_layout TWIN_ROW = {.traits = &ss_sealed_traits,
                            .name = TWIN_NAME,
                            .range = ss_table_whole_range,
                            .list_bits = ss_sealed_list_bits,
                            .has = has,
                            .has_key = has_key,
                            .has_many = has_many,
                            .sample = ss_sealed_sample};
