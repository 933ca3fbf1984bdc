/*
 * set.c - the handle: what a caller adds to, asks and merges.
 *
 * The set hashes keys, keeps the promise of its generations, and leaves bits
 * to the tables. Batches are cut into chunks of CHUNK_KEYS: a chunk is hashed
 * in one loop, then handed to the table in one call.
 */
#include "set.h"

#include <math.h>
#include <string.h>

#include "hash.h"

enum {
    CHUNK_KEYS = 512
};

const char *seenset_version(void)
{
    return SEENSET_VERSION;
}

const char *seenset_on_full_name(seenset_on_full on_full)
{
    switch (on_full) {
    case SEENSET_DEGRADE:
        return "degrade";
    case SEENSET_REFUSE:
        return "refuse";
    default:
        return "unknown";
    }
}

int ss_set_make(seenset **out, const ss_memory *memory, seenset_on_full on_full)
{
    seenset *set = ss_memory_take(memory, 1, sizeof *set);
    if (set == NULL)
        return SEENSET_ENOMEM;
    set->generations = ss_memory_take(memory, 1, sizeof *set->generations);
    if (set->generations == NULL) {
        ss_memory_give(memory, set, 1, sizeof *set);
        return SEENSET_ENOMEM;
    }
    set->memory = *memory;
    set->on_full = on_full;
    set->generation_count = 1;
    *out = set;
    return SEENSET_OK;
}

int ss_set_take_words(seenset *set, ss_generation *generation,
                      const seenset_plan *plan)
{
    uint64_t *words = ss_memory_take(
        &set->memory, ss_table_word_count(plan->size_bits), sizeof *words);
    if (words == NULL)
        return SEENSET_ENOMEM;
    generation->table =
        ss_table_make(plan->layout, plan->size_bits, plan->hash_count, words);
    generation->capacity_items = plan->capacity_items;
    generation->fp_rate = plan->fp_rate;
    return SEENSET_OK;
}

/* The plan that the options ask for, defaults filled in. */
static int plan_from_options(seenset_plan *plan, const seenset_options *options)
{
    *plan = (seenset_plan){.layout = options->layout,
                           .capacity_items = options->capacity_items,
                           .fp_rate = options->fp_rate,
                           .size_bits = options->size_bits,
                           .hash_count = options->hash_count};
    if (plan->fp_rate == 0.0 && plan->size_bits == 0)
        plan->fp_rate = 0.01;
    if (plan->capacity_items == 0 && plan->size_bits == 0)
        plan->capacity_items = 1000000;
    return seenset_plan_solve(plan);
}

int seenset_new(seenset **out, const seenset_options *options)
{
    static const seenset_options defaults = {0};
    if (options == NULL)
        options = &defaults;
    seenset_on_full on_full = options->on_full;
    if (on_full == SEENSET_ON_FULL_DEFAULT)
        on_full = SEENSET_DEGRADE;
    if (out == NULL ||
        (on_full != SEENSET_DEGRADE && on_full != SEENSET_REFUSE))
        return SEENSET_EINVAL;
    seenset_plan plan;
    ss_memory memory;
    int error = ss_memory_init(&memory, options->allocator);
    if (error == SEENSET_OK)
        error = plan_from_options(&plan, options);
    if (error != SEENSET_OK)
        return error;
    seenset *set;
    error = ss_set_make(&set, &memory, on_full);
    if (error != SEENSET_OK)
        return error;
    error = ss_set_take_words(set, ss_set_newest(set), &plan);
    if (error != SEENSET_OK) {
        seenset_free(set);
        return error;
    }
    *out = set;
    return SEENSET_OK;
}

static void free_words(seenset *set)
{
    for (uint32_t i = 0; i < set->generation_count; i++) {
        ss_table *table = &set->generations[i].table;
        ss_memory_give(&set->memory, table->words,
                       ss_table_word_count(table->size_bits),
                       sizeof *table->words);
    }
}

void seenset_free(seenset *set)
{
    if (set == NULL)
        return;
    if (!set->is_view)
        free_words(set);
    ss_memory_unmap(set->mapping, set->mapping_bytes);
    ss_memory memory = set->memory;
    ss_memory_give(&memory, set->generations, set->generation_count,
                   sizeof *set->generations);
    ss_memory_give(&memory, set, 1, sizeof *set);
}

static bool is_full(const seenset *set, const ss_generation *newest)
{
    return set->on_full == SEENSET_REFUSE &&
           newest->added_items >= newest->capacity_items;
}

static bool has_hash(const seenset *set, uint64_t hash)
{
    for (uint32_t i = set->generation_count; i > 0; i--) {
        const ss_table *table = &set->generations[i - 1].table;
        if (table->layout->has(table, hash))
            return true;
    }
    return false;
}

int seenset_add_hash(seenset *set, uint64_t hash)
{
    if (set->is_view)
        return SEENSET_EREADONLY;
    ss_generation *newest = ss_set_newest(set);
    if (is_full(set, newest))
        return has_hash(set, hash) ? 0 : SEENSET_EFULL;
    bool is_new = newest->table.layout->add(&newest->table, hash);
    newest->added_items += is_new;
    return is_new;
}

int seenset_has_hash(const seenset *set, uint64_t hash)
{
    return has_hash(set, hash);
}

int seenset_add(seenset *set, const void *key, size_t key_len)
{
    if (key == NULL && key_len > 0)
        return SEENSET_EINVAL;
    return seenset_add_hash(set, ss_hash_key(key, key_len));
}

int seenset_has(const seenset *set, const void *key, size_t key_len)
{
    if (key == NULL && key_len > 0)
        return 0;
    return seenset_has_hash(set, ss_hash_key(key, key_len));
}

/* At capacity: what is in the set is seen, everything else is refused. */
static bool refuse_many(const seenset *set, const uint64_t *hashes,
                        size_t count, uint8_t *is_new)
{
    bool was_refused = false;
    for (size_t i = 0; i < count; i++) {
        is_new[i] = has_hash(set, hashes[i]) ? 0 : SEENSET_REFUSED;
        was_refused |= is_new[i] == SEENSET_REFUSED;
    }
    return was_refused;
}

/*
 * Adds a chunk of hashes. A set that refuses is given no more keys at a time
 * than fit if all are new; true if it refused one.
 */
static bool add_hashes(seenset *set, const uint64_t *hashes, size_t count,
                       uint8_t *is_new)
{
    ss_generation *newest = ss_set_newest(set);
    while (count > 0 && !is_full(set, newest)) {
        size_t fitting = count;
        if (set->on_full == SEENSET_REFUSE &&
            newest->capacity_items - newest->added_items < count)
            fitting = (size_t)(newest->capacity_items - newest->added_items);
        newest->added_items += newest->table.layout->add_many(
            &newest->table, hashes, fitting, is_new);
        hashes += fitting;
        is_new += fitting;
        count -= fitting;
    }
    return refuse_many(set, hashes, count, is_new);
}

static void has_hashes(const seenset *set, const uint64_t *hashes, size_t count,
                       uint8_t *is_seen)
{
    const ss_table *table = &set->generations[0].table;
    table->layout->has_many(table, hashes, count, is_seen);
}

static bool are_keys_valid(const seenset_key *keys, size_t key_count)
{
    if (keys == NULL)
        return key_count == 0;
    for (size_t i = 0; i < key_count; i++) {
        if (keys[i].data == NULL && keys[i].len > 0)
            return false;
    }
    return true;
}

/* Hashes the next chunk of keys; returns how many. */
static size_t hash_chunk(uint64_t hashes[CHUNK_KEYS], const seenset_key *keys,
                         size_t key_count)
{
    size_t count = key_count < CHUNK_KEYS ? key_count : CHUNK_KEYS;
    for (size_t i = 0; i < count; i++)
        hashes[i] = ss_hash_key(keys[i].data, keys[i].len);
    return count;
}

int seenset_add_many(seenset *set, const seenset_key *keys, size_t key_count,
                     uint8_t *is_new)
{
    if (!are_keys_valid(keys, key_count))
        return SEENSET_EINVAL;
    if (set->is_view)
        return SEENSET_EREADONLY;
    uint64_t hashes[CHUNK_KEYS];
    uint8_t unwanted[CHUNK_KEYS];
    bool was_refused = false;
    for (size_t done = 0, count; done < key_count; done += count) {
        count = hash_chunk(hashes, keys + done, key_count - done);
        uint8_t *answers = is_new != NULL ? is_new + done : unwanted;
        was_refused |= add_hashes(set, hashes, count, answers);
    }
    return was_refused ? SEENSET_EFULL : SEENSET_OK;
}

int seenset_has_many(const seenset *set, const seenset_key *keys,
                     size_t key_count, uint8_t *is_seen)
{
    if (!are_keys_valid(keys, key_count) || (is_seen == NULL && key_count > 0))
        return SEENSET_EINVAL;
    uint64_t hashes[CHUNK_KEYS];
    for (size_t done = 0, count; done < key_count; done += count) {
        count = hash_chunk(hashes, keys + done, key_count - done);
        has_hashes(set, hashes, count, is_seen + done);
    }
    return SEENSET_OK;
}

/*
 * The keys of a union. Which keys the two had in common only the bits can
 * tell: their estimate, held between the larger of the two and their sum.
 */
static uint64_t merged_items(const ss_table *merged, uint64_t a, uint64_t b)
{
    if (a == 0 || b == 0)
        return a + b;
    uint64_t least = a > b ? a : b;
    uint64_t most;
    if (__builtin_add_overflow(a, b, &most))
        most = UINT64_MAX;
    double estimate = seenset_plan_item_estimate(
        ss_table_count_bits(merged), merged->size_bits, merged->hash_count);
    if (!(estimate < (double)most))
        return most;
    uint64_t rounded = (uint64_t)llround(estimate);
    return rounded > least ? rounded : least;
}

int seenset_merge(seenset *into, const seenset *from)
{
    if (into == NULL || from == NULL)
        return SEENSET_EINVAL;
    if (into->is_view)
        return SEENSET_EREADONLY;
    ss_generation *target = ss_set_newest(into);
    const ss_generation *source = ss_set_newest(from);
    if (!ss_table_is_alike(&target->table, &source->table))
        return SEENSET_EMISMATCH;
    if (into == from)
        return SEENSET_OK;
    ss_table_merge(&target->table, &source->table);
    target->added_items =
        merged_items(&target->table, target->added_items, source->added_items);
    return SEENSET_OK;
}
