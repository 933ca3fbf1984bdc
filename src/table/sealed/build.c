/*
 * build.c - building a fuse table: keys are peeled (peel.h), and from the last
 * to the first each one's own slot is set so that the XOR of all of its slots
 * is its fingerprint.
 */
#include "table/sealed/build.h"
#include "base/sort.h"
#include "table/sealed/peel.h"

enum {
    STAGES = 3
};

typedef struct builder {
    ss_peeler peel;
    unsigned attempt;
    const ss_fuse_progress *progress;
} builder;

static void report(const builder *build, unsigned stage, uint64_t done)
{
    const ss_fuse_progress *progress = build->progress;
    uint64_t count = build->peel.key_count;
    if (progress != NULL && progress->report != NULL)
        progress->report(progress->context, stage * count + done,
                         STAGES * count, build->attempt);
}

static void report_peeled(void *context, uint64_t peeled)
{
    report(context, 1, peeled);
}

/* ---- filling the slots ---- */

/* Into a slot that is still zero. */
static SS_ALWAYS_INLINE void put_slot(uint64_t *words, uint64_t bit,
                                      uint64_t value, unsigned bits)
{
    uint64_t *word = words + bit / SS_WORD_BITS;
    const unsigned shift = bit % SS_WORD_BITS;
    word[0] |= value << shift;
    if (shift + bits > SS_WORD_BITS)
        word[1] |= value >> (SS_WORD_BITS - shift);
}

/* XOR over all slots of the key, its own still zero, gives its own. */
static SS_ALWAYS_INLINE void assign(const ss_peeler *peel, uint64_t *words,
                                    uint64_t x, unsigned turn, unsigned arity,
                                    bool is_packed)
{
    const unsigned bits = peel->shape.fingerprint_bits;
    uint64_t places[SS_FUSE_MAX_ARITY];
    uint64_t fields = ss_fuse_places(x, arity, peel->shape.segment_length,
                                     ss_fuse_first_slots(&peel->shape), places);
    uint64_t value = ss_fuse_fingerprint(fields, bits);
    for (unsigned i = 0; i < arity; i++)
        value ^= ss_fuse_slot(words, places[i], bits, is_packed);
    value &= UINT64_MAX >> (SS_WORD_BITS - bits);
    put_slot(words, places[turn] * bits, value, bits);
}

/* arity, is_packed: constants where it is called. */
static SS_ALWAYS_INLINE void assign_loop(const builder *build, uint64_t *words,
                                         unsigned arity, bool is_packed)
{
    enum {
        REPORT_KEYS = 1 << 20
    };
    const ss_peeler *peel = &build->peel;
    for (uint64_t i = peel->key_count; i-- > 0;) {
        assign(peel, words, peel->keys[i], ss_peel_turn(peel, i), arity,
               is_packed);
        if (i % REPORT_KEYS == 0)
            report(build, 2, peel->key_count - i);
    }
}

static void assign_all(const builder *build, uint64_t *words)
{
    bool is_packed = ss_fuse_is_packed(build->peel.shape.fingerprint_bits);
    if (build->peel.shape.arity == 3)
        is_packed ? assign_loop(build, words, 3, true)
                  : assign_loop(build, words, 3, false);
    else
        is_packed ? assign_loop(build, words, 4, true)
                  : assign_loop(build, words, 4, false);
}

/* ---- all attempts ---- */

static void mix_all(uint64_t *hashes, uint64_t count, uint64_t seed)
{
    for (uint64_t i = 0; i < count; i++)
        hashes[i] = ss_fuse_mix(hashes[i], seed);
}

/* 1 / SS_HASH_STEP mod 2^64: each round doubles the bits that are right */
static uint64_t unstep_factor(void)
{
    uint64_t inverse = SS_HASH_STEP;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - SS_HASH_STEP * inverse;
    return inverse;
}

static void unmix_all(uint64_t *hashes, uint64_t count, uint64_t seed)
{
    const uint64_t factor = unstep_factor();
    for (uint64_t i = 0; i < count; i++) {
        uint64_t x = hashes[i] * factor;
        x = (x ^ x >> 32) * factor;
        hashes[i] = (x ^ x >> 32) - seed * SS_HASH_STEP;
    }
}

/* On SEENSET_OK the table is in *out. The keys are remixed before and after. */
static int build_mixed(builder *build, ss_fuse *out)
{
    ss_peeler *peel = &build->peel;
    int error = ss_peel_all(peel, report_peeled, build);
    if (error != SEENSET_OK)
        return error;
    uint64_t word_count = ss_fuse_word_count(&peel->shape);
    uint64_t *words = ss_memory_alloc(peel->memory, word_count, sizeof *words);
    if (words != NULL) {
        assign_all(build, words);
        *out = (ss_fuse){
            .shape = peel->shape, .key_count = peel->key_count, .words = words};
    }
    ss_peel_free_turns(peel);
    return words != NULL ? SEENSET_OK : SEENSET_ENOMEM;
}

/* As many upper bits as tell twice as many keys apart as there are segments. */
static unsigned order_bits(uint64_t segments)
{
    unsigned bits = 2;
    while (segments >> (bits - 1) > 0)
        bits++;
    return bits;
}

/* For so many keys. False: the table would be too big. */
static bool make_peeler(ss_peeler *peel, uint64_t *hashes, uint64_t count,
                        const ss_fuse_shape *wanted, uint64_t seed)
{
    *peel =
        (ss_peeler){.memory = peel->memory, .keys = hashes, .key_count = count};
    if (!ss_fuse_shape_for(count, wanted->arity, wanted->fingerprint_bits, seed,
                           &peel->shape))
        return false;
    while (UINT64_C(1) << peel->length_bits < peel->shape.segment_length)
        peel->length_bits++;
    return true;
}

static int try_once(builder *build, uint64_t *hashes, uint64_t count,
                    const ss_fuse_shape *wanted, ss_fuse *out)
{
    ss_peeler *peel = &build->peel;
    uint64_t seed = build->attempt;
    if (!make_peeler(peel, hashes, count, wanted, seed))
        return SEENSET_ETOOBIG;
    unsigned bits = order_bits(peel->shape.segment_count);
    peel->alike_bits = UINT64_MAX >> bits;
    mix_all(hashes, count, seed);
    ss_sort_roughly(hashes, count, bits);
    report(build, 1, 0);
    int error = build_mixed(build, out);
    unmix_all(hashes, count, seed);
    return error;
}

/* Drops equal hashes, once and for all attempts. Were there any? */
static bool drop_equal(uint64_t *hashes, uint64_t *count, bool *is_dropped)
{
    uint64_t before = *count;
    if (*is_dropped)
        return false;
    ss_sort_numbers(hashes, before);
    *count = ss_sort_drop_equal(hashes, before);
    *is_dropped = true;
    return *count < before;
}

int ss_fuse_build(const ss_memory *memory, uint64_t *hashes, uint64_t count,
                  unsigned arity, unsigned fingerprint_bits,
                  const ss_fuse_progress *progress, ss_fuse *out)
{
    ss_fuse_shape wanted;
    builder build = {.peel.memory = memory, .progress = progress};
    bool is_dropped = false;
    if (!ss_fuse_shape_for(0, arity, fingerprint_bits, 0, &wanted))
        return SEENSET_EINVAL;
    int error = SEENSET_ERATE;
    while (error == SEENSET_ERATE && build.attempt < SS_FUSE_ATTEMPTS) {
        error = try_once(&build, hashes, count, &wanted, out);
        if (error == SEENSET_ERATE && !drop_equal(hashes, &count, &is_dropped))
            build.attempt++;
    }
    return error;
}
