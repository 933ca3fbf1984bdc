/* checks.c - blocks of a view, checked when touched; the idea is in checks.h */
#include "set/checks.h"

#include "hash/block_sum.h"
#include "set/generations.h"

enum {
    CHUNK_KEYS = 512,
    BLOCK_BITS = SS_BLOCK_BYTES * 8
};

typedef struct ss_checks {
    const uint8_t *sums;
    uint64_t block_count;
    uint64_t unchecked; /* how many blocks are; others may be counting down */
    uint64_t *checked;  /* a bit a block */
} ss_checks;

static uint64_t word_count(uint64_t block_count)
{
    return (block_count + SS_WORD_BITS - 1) / SS_WORD_BITS;
}

int ss_checks_start(seenset *set, const uint8_t *sums, uint64_t block_count)
{
    ss_checks *checks = ss_memory_alloc(&set->memory, 1, sizeof *checks);
    if (checks == NULL)
        return SEENSET_ENOMEM;
    *checks = (ss_checks){
        .sums = sums, .block_count = block_count, .unchecked = block_count};
    checks->checked = ss_memory_alloc(&set->memory, word_count(block_count),
                                      sizeof *checks->checked);
    if (checks->checked == NULL) {
        ss_memory_free(&set->memory, checks, 1, sizeof *checks);
        return SEENSET_ENOMEM;
    }
    set->checks = checks;
    set->is_single = false;
    return SEENSET_OK;
}

void ss_checks_end(seenset *set)
{
    ss_checks *checks = set->checks;
    if (checks == NULL)
        return;
    ss_memory_free(&set->memory, checks->checked,
                   word_count(checks->block_count), sizeof *checks->checked);
    ss_memory_free(&set->memory, checks, 1, sizeof *checks);
    set->checks = NULL;
}

uint64_t ss_checks_memory_bytes(const seenset *set)
{
    const ss_checks *checks = set->checks;
    return checks == NULL ? 0
                          : sizeof *checks + word_count(checks->block_count) *
                                                 sizeof *checks->checked;
}

static bool is_done(const ss_checks *checks)
{
    return __atomic_load_n(&checks->unchecked, __ATOMIC_RELAXED) == 0;
}

/* After the last block: the set is asked directly. The handle is const to
 * callers that ask, and was made to be changed. */
static void finish(const seenset *set)
{
    seenset *made = (seenset *)(uintptr_t)set;
    __atomic_store_n(&made->is_single, ss_set_can_be_single(set),
                     __ATOMIC_RELAXED);
}

/* Has block `of` of a table the sum that the file gives? */
static bool check_block(const seenset *set, const ss_generation *generation,
                        uint64_t of)
{
    ss_checks *checks = set->checks;
    uint64_t block = generation->first_block + of;
    uint64_t *word = &checks->checked[block / SS_WORD_BITS];
    uint64_t mask = UINT64_C(1) << (block % SS_WORD_BITS);
    if ((ss_bits_read(word) & mask) != 0)
        return true;
    uint64_t left =
        ss_set_word_count(generation) * sizeof(uint64_t) - of * SS_BLOCK_BYTES;
    const uint8_t *bytes =
        (const uint8_t *)generation->table.words + of * SS_BLOCK_BYTES;
    uint64_t sum = ss_block_sum(
        block, bytes, left < SS_BLOCK_BYTES ? (size_t)left : SS_BLOCK_BYTES);
    if (sum != ss_bits_load(checks->sums + block * SS_SUM_BYTES, SS_SUM_BYTES))
        return false;
    bool is_first = (ss_bits_set(word, mask) & mask) == 0;
    if (is_first &&
        __atomic_fetch_sub(&checks->unchecked, 1, __ATOMIC_RELAXED) == 1)
        finish(set);
    return true;
}

/* All the blocks that hold bits `first` to `last` of a table. */
static bool check_range(const seenset *set, const ss_generation *generation,
                        uint64_t first, uint64_t last)
{
    for (uint64_t of = first / BLOCK_BITS; of <= last / BLOCK_BITS; of++)
        if (!check_block(set, generation, of))
            return false;
    return true;
}

/* A counter that begins in one block may end in the next. */
static bool check_bits(const seenset *set, const ss_generation *generation,
                       const uint64_t *bits, uint32_t count)
{
    uint32_t cell_bits = generation->table.cell_bits;
    bool is_sound = true;
    for (uint32_t i = 0; is_sound && i < count; i++)
        is_sound =
            check_range(set, generation, bits[i], bits[i] + cell_bits - 1);
    return is_sound;
}

int ss_checks_all(const seenset *set)
{
    if (set->checks == NULL || is_done(set->checks))
        return SEENSET_OK;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_generation *generation = &set->generations[i];
        uint64_t bits = ss_set_word_count(generation) * SS_WORD_BITS;
        if (!check_range(set, generation, 0, bits - 1))
            return SEENSET_ECORRUPT;
    }
    return SEENSET_OK;
}

int ss_checks_bits(const seenset *set, const ss_generation *generation,
                   uint64_t first, uint64_t count)
{
    if (set->checks == NULL || count == 0 || is_done(set->checks))
        return SEENSET_OK;
    return check_range(set, generation, first, first + count - 1)
               ? SEENSET_OK
               : SEENSET_ECORRUPT;
}

/* What the lookup of a hash reads, in every table. */
static int check_hash(const seenset *set, uint64_t hash)
{
    uint64_t bits[SEENSET_MAX_HASH_COUNT];
    int error = SEENSET_OK;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_generation *generation = &set->generations[i];
        const ss_table *table = &generation->table;
        uint32_t count = table->layout->list_bits(table, hash, bits);
        if (!check_bits(set, generation, bits, count))
            error = SEENSET_ECORRUPT;
    }
    return error;
}

/* The same where the places come from a scheme: in the only table. */
static int check_scheme_key(const seenset *set, const void *key, size_t key_len)
{
    uint64_t bits[SEENSET_MAX_HASH_COUNT];
    const ss_generation *only = set->generations;
    const ss_table *table = &only->table;
    uint32_t count = table->layout->list_key_bits(table, key, key_len, bits);
    return check_bits(set, only, bits, count) ? SEENSET_OK : SEENSET_ECORRUPT;
}

int ss_checks_key(const seenset *set, const void *key, size_t key_len)
{
    if (set->checks == NULL || is_done(set->checks))
        return SEENSET_OK;
    return ss_key_hash_is_hash(&set->identity)
               ? check_hash(set, ss_key_hash_of(&set->identity, key, key_len))
               : check_scheme_key(set, key, key_len);
}

int ss_checks_hash(const seenset *set, uint64_t hash)
{
    return set->checks == NULL || is_done(set->checks) ? SEENSET_OK
                                                       : check_hash(set, hash);
}

int ss_checks_newest(const seenset *set, uint64_t hash)
{
    uint64_t bits[SEENSET_MAX_HASH_COUNT];
    const ss_generation *newest = ss_set_newest(set);
    if (set->checks == NULL || is_done(set->checks))
        return SEENSET_OK;
    uint32_t count =
        newest->table.layout->list_bits(&newest->table, hash, bits);
    return check_bits(set, newest, bits, count) ? SEENSET_OK : SEENSET_ECORRUPT;
}

int ss_checks_has_hash(const seenset *set, uint64_t hash)
{
    int error = is_done(set->checks) ? SEENSET_OK : check_hash(set, hash);
    return ss_generations_has(set, hash) ? 1 : error;
}

int ss_checks_has(const seenset *set, const void *key, size_t key_len)
{
    if (ss_key_hash_is_hash(&set->identity))
        return ss_checks_has_hash(set,
                                  ss_key_hash_of(&set->identity, key, key_len));
    const ss_table *only = &set->generations[0].table;
    int error = ss_checks_key(set, key, key_len);
    return only->layout->has_key(only, key, key_len) ? 1 : error;
}

/* ---- many ---- */

/* One key of a batch. hash: filled in where keys are hashed. */
static int check_one(const seenset *set, const ss_batch *batch, size_t i,
                     uint64_t *hash)
{
    const seenset_key *key = batch->keys != NULL ? &batch->keys[i] : NULL;
    if (!ss_key_hash_is_hash(&set->identity))
        return ss_checks_key(set, key->data, key->len);
    *hash = batch->hashes != NULL
                ? batch->hashes[i]
                : ss_key_hash_of(&set->identity, key->data, key->len);
    return is_done(set->checks) ? SEENSET_OK : check_hash(set, *hash);
}

static void ask(const seenset *set, const ss_batch *batch, uint8_t *is_seen)
{
    const ss_table *oldest = &set->generations[0].table;
    if (ss_key_hash_is_hash(&set->identity))
        ss_generations_has_many(set, batch, is_seen);
    else
        oldest->layout->has_many(oldest, batch, is_seen);
}

/* Keys that touch a damaged block count as seen. */
static int has_chunk(const seenset *set, const ss_batch *chunk,
                     uint8_t *is_seen)
{
    uint64_t hashes[CHUNK_KEYS];
    bool is_bad[CHUNK_KEYS];
    int error = SEENSET_OK;
    for (size_t i = 0; i < chunk->count; i++) {
        is_bad[i] = check_one(set, chunk, i, &hashes[i]) != SEENSET_OK;
        if (is_bad[i])
            error = SEENSET_ECORRUPT;
    }
    ss_batch ready = *chunk;
    if (ss_key_hash_is_hash(&set->identity))
        ready.hashes = hashes;
    ask(set, &ready, is_seen);
    for (size_t i = 0; error != SEENSET_OK && i < chunk->count; i++)
        is_seen[i] |= is_bad[i];
    return error;
}

int ss_checks_has_many(const seenset *set, const ss_batch *batch,
                       uint8_t *is_seen)
{
    int first_error = SEENSET_OK;
    if (is_done(set->checks)) {
        ask(set, batch, is_seen);
        return SEENSET_OK;
    }
    for (size_t done = 0, count; done < batch->count; done += count) {
        count = batch->count - done;
        count = count < CHUNK_KEYS ? count : CHUNK_KEYS;
        ss_batch chunk = ss_batch_part(batch, done, count);
        int error = has_chunk(set, &chunk, is_seen + done);
        if (error != SEENSET_OK)
            first_error = error;
    }
    return first_error;
}
