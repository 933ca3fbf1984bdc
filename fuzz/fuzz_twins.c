/*
 * fuzz_twins.c - every way to work on a blocked or split-block table, against
 * the format.
 *
 * The reference is a table whose bits are set one by one, as docs/format.md
 * has it. Beside it stand all twins that this processor can run. The bytes say
 * how many lines there are, what is in them before, and which hashes and keys
 * come, alone, in batches and in visits. Each answer of each twin must be the
 * reference's, and so must every word in the end.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "table/blocked/blocked.h"
#include "table/split_block/split_block.h"

enum {
    TWIN_COUNT = 5,
    BATCH = 200 /* at most: more than are in flight */
};

typedef struct twins {
    ss_table truth;
    ss_table tables[TWIN_COUNT];
    size_t count;
} twins;

/* ---- the reference ---- */

/* Word by word of 32 bits, which are the halves of those of 64. */
static uint64_t *word_of_block(const ss_table *table, uint64_t hash,
                               unsigned word, uint64_t *bit)
{
    static const uint32_t salts[] = {0x47b6137b, 0x44974d91, 0x8824ad5b,
                                     0xa2b7289d, 0x705495c7, 0x2df1424b,
                                     0x9efc4947, 0x5c6bfb31};
    uint64_t block = ((hash >> 32) * table->range) >> 32;
    uint32_t product = (uint32_t)hash * salts[word];
    *bit = UINT64_C(1) << (32 * (word % 2) + (product >> 27));
    return &table->words[block * 4 + word / 2];
}

/* The word of a visit's place that holds a bit, and the bit. */
static uint64_t *word_of(const ss_table *table, uint32_t visit, uint64_t x,
                         unsigned word, uint64_t *bit)
{
    if (table->layout->traits == &ss_split_block_traits)
        return word_of_block(table, x, word, bit);
    uint64_t line = visit * table->range + ss_hash_range(x, table->range);
    *bit = UINT64_C(1) << (ss_hash_step(x) >> (16 + 6 * word) & 63);
    return &table->words[line * SS_LINE_WORDS + word];
}

static bool add_visit(ss_table *table, uint32_t visit, uint64_t x)
{
    uint64_t bit;
    bool is_new = false;
    for (unsigned word = 0; word < SS_LINE_WORDS; word++) {
        uint64_t *at = word_of(table, visit, x, word, &bit);
        is_new |= (*at & bit) == 0;
        if (!FUZZ_IS_PLANTED || word != 7 || bit >> 63 == 0)
            *at |= bit;
    }
    return is_new;
}

static bool add(ss_table *table, uint64_t x)
{
    bool is_new = false;
    for (uint32_t visit = 0; visit < table->hash_count / SS_LINE_WORDS;
         visit++) {
        is_new |= add_visit(table, visit, x);
        x = ss_hash_step(ss_hash_step(x));
    }
    return is_new;
}

static bool has(const ss_table *table, uint64_t x)
{
    uint64_t bit;
    bool is_seen = true;
    for (uint32_t visit = 0; visit < table->hash_count / SS_LINE_WORDS;
         visit++) {
        for (unsigned word = 0; word < SS_LINE_WORDS; word++)
            is_seen &= (*word_of(table, visit, x, word, &bit) & bit) != 0;
        x = ss_hash_step(ss_hash_step(x));
    }
    return is_seen;
}

/* ---- operations ---- */

static void do_hash(twins *all, fuzz_bytes *from)
{
    uint64_t hash = fuzz_number(from, 8);
    bool is_seen = has(&all->truth, hash), is_new = add(&all->truth, hash);
    for (size_t i = 0; i < all->count; i++) {
        ss_table *table = &all->tables[i];
        fuzz_must(table->layout->has(table, hash) == is_seen,
                  "twins answer alike");
        fuzz_must(table->layout->add(table, hash) == is_new, "twins add alike");
    }
}

/* A key in memory of exactly its size. */
static void do_key(twins *all, fuzz_bytes *from)
{
    size_t len;
    const uint8_t *bytes = fuzz_take(from, fuzz_below(from, 80), &len);
    uint8_t *key = malloc(len + (len == 0));
    fuzz_must(key != NULL, "there is memory for a key");
    memcpy(key, bytes, len);
    uint64_t hash = ss_hash_key(key, len);
    bool is_seen = has(&all->truth, hash), is_new = add(&all->truth, hash);
    for (size_t i = 0; i < all->count; i++) {
        ss_table *table = &all->tables[i];
        fuzz_must(table->layout->has_key(table, key, len) == is_seen,
                  "twins answer for keys alike");
        fuzz_must(table->layout->add_key(table, key, len) == is_new,
                  "twins add keys alike");
    }
    free(key);
}

/* Hashes that follow from one, and repeat every now and then. */
static size_t make_hashes(fuzz_bytes *from, uint64_t hashes[BATCH])
{
    size_t count = fuzz_below(from, BATCH + 1);
    unsigned period = 1 + fuzz_below(from, 256);
    uint64_t seed = fuzz_number(from, 2);
    for (size_t i = 0; i < count; i++)
        hashes[i] = ss_hash_step(ss_hash_step(seed + i % period + 1));
    return count;
}

static void compare_batch(const ss_table *truth, ss_table *table,
                          const ss_batch *batch, const uint64_t *hashes,
                          const uint8_t is_new[BATCH])
{
    uint8_t answers[BATCH];
    size_t news = 0, seen = 0;
    for (size_t i = 0; i < batch->count; i++)
        news += is_new[i];
    fuzz_must(table->layout->add_many(table, batch, answers) == news,
              "twins count the new of a batch alike");
    fuzz_must(memcmp(answers, is_new, batch->count) == 0,
              "a batch adds like single keys");
    size_t counted = table->layout->has_many(table, batch, answers);
    for (size_t i = 0; i < batch->count; i++) {
        fuzz_must(answers[i] == has(truth, hashes[i]),
                  "a batch answers like single keys");
        seen += answers[i];
    }
    fuzz_must(counted == seen, "twins count the seen of a batch alike");
}

/* Of hashes, or of keys whose hashes these are: eight bytes each. */
static void do_batch(twins *all, fuzz_bytes *from, bool is_keys)
{
    uint64_t numbers[BATCH], hashes[BATCH];
    seenset_key keys[BATCH];
    uint8_t is_new[BATCH];
    size_t count = make_hashes(from, numbers);
    for (size_t i = 0; i < count; i++) {
        keys[i] = (seenset_key){&numbers[i], i % 9};
        hashes[i] = is_keys ? ss_hash_key(&numbers[i], i % 9) : numbers[i];
        is_new[i] = add(&all->truth, hashes[i]);
    }
    const ss_batch batch = {.keys = is_keys ? keys : NULL,
                            .hashes = is_keys ? NULL : hashes,
                            .count = count};
    for (size_t i = 0; i < all->count; i++)
        compare_batch(&all->truth, &all->tables[i], &batch, hashes, is_new);
}

static void do_visit(twins *all, fuzz_bytes *from)
{
    uint64_t xs[BATCH];
    uint32_t visits = all->truth.hash_count / SS_LINE_WORDS;
    uint32_t visit = fuzz_below(from, visits);
    size_t count = make_hashes(from, xs), news = 0;
    for (size_t i = 0; i < count; i++)
        news += add_visit(&all->truth, visit, xs[i]);
    for (size_t i = 0; i < all->count; i++) {
        ss_table *table = &all->tables[i];
        fuzz_must(table->layout->add_probes(table, visit, xs, count) == news,
                  "twins build alike");
    }
}

/* ---- tables ---- */

/* units: lines of each region, or blocks. */
static ss_table make(const ss_layout *layout, uint64_t units, uint32_t k,
                     fuzz_bytes before)
{
    uint64_t size_bits = units * layout->traits->unit_bits(k);
    size_t count = (size_t)ss_table_words_for(size_bits, 1);
    uint64_t *words = aligned_alloc(SS_LINE_BYTES, count * sizeof *words);
    fuzz_must(words != NULL, "there is memory for a table");
    size_t room = (size_t)(size_bits / 8), there;
    const uint8_t *bytes = fuzz_take(&before, room, &there);
    memset(words, 0, count * sizeof *words);
    memcpy(words, bytes, there);
    return ss_table_make(layout, size_bits, k, 1, words);
}

static void make_twins(twins *all, const ss_layout *const layouts[TWIN_COUNT],
                       uint32_t k, fuzz_bytes *from)
{
    uint64_t units = 1 + fuzz_number(from, 2) % 300;
    fuzz_bytes before = {0};
    before.at = fuzz_take(from, fuzz_below(from, 256), &before.left);
    all->truth = make(layouts[0], units, k, before);
    all->count = 0;
    for (size_t i = 0; i < TWIN_COUNT; i++)
        if (layouts[i] != NULL)
            all->tables[all->count++] = make(layouts[i], units, k, before);
}

static void make_all(twins *all, fuzz_bytes *from)
{
    const ss_layout *const blocked[TWIN_COUNT] = {
        &ss_blocked_portable, &ss_blocked_shared, ss_blocked_kernel("avx2"),
        ss_blocked_kernel("avx512"), ss_blocked_kernel("neon")};
    const ss_layout *const split[TWIN_COUNT] = {&ss_split_block_portable,
                                                &ss_split_block_shared,
                                                ss_split_block_best()};
    unsigned chosen = fuzz_below(from, 4);
    if (chosen < SEENSET_MAX_LINE_COUNT)
        make_twins(all, blocked, SS_LINE_WORDS * (1 + chosen), from);
    else
        make_twins(all, split, SS_SPLIT_BLOCK_HASHES, from);
}

static void compare_and_free(twins *all)
{
    size_t size_bytes = (size_t)ss_table_word_count(&all->truth) * 8;
    for (size_t i = 0; i < all->count; i++) {
        fuzz_must(memcmp(all->tables[i].words, all->truth.words, size_bytes) ==
                      0,
                  "twins are equal bit for bit");
        free(all->tables[i].words);
    }
    free(all->truth.words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    twins all;
    fuzz_bytes from = {data, size_bytes};
    make_all(&all, &from);
    for (int steps = 0; from.left > 0 && steps < 200; steps++) {
        switch (fuzz_below(&from, 5)) {
        case 0:
            do_hash(&all, &from);
            break;
        case 1:
            do_key(&all, &from);
            break;
        case 2:
            do_batch(&all, &from, false);
            break;
        case 3:
            do_batch(&all, &from, true);
            break;
        default:
            do_visit(&all, &from);
        }
    }
    compare_and_free(&all);
    return 0;
}
