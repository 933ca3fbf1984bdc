/*
 * set.c - the handle: what a caller adds to, asks and merges.
 *
 * The set keeps the promise of its generations and leaves bits to the tables.
 * A batch goes to the table whole, which hashes it while it waits for memory.
 */
#include "set.h"

#include <math.h>

#include "hash.h"

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

int ss_set_make(seenset **out, const ss_memory *memory, seenset_on_full on_full,
                bool is_shared)
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
    set->is_shared = is_shared;
    set->is_plain = !is_shared && on_full != SEENSET_REFUSE;
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
        ss_table_make(ss_layout_find(plan->layout, set->is_shared),
                      plan->size_bits, plan->hash_count, words);
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

/* A set with a table for the plan. */
static int make_planned(seenset **out, const ss_memory *memory,
                        seenset_on_full on_full, bool is_shared,
                        const seenset_plan *plan)
{
    seenset *set;
    int error = ss_set_make(&set, memory, on_full, is_shared);
    if (error != SEENSET_OK)
        return error;
    error = ss_set_take_words(set, ss_set_newest(set), plan);
    if (error != SEENSET_OK) {
        seenset_free(set);
        return error;
    }
    *out = set;
    return SEENSET_OK;
}

int seenset_new(seenset **out, const seenset_options *options)
{
    static const seenset_options defaults = {0};
    if (options == NULL)
        options = &defaults;
    seenset_on_full on_full = options->on_full;
    if (on_full == SEENSET_ON_FULL_DEFAULT)
        on_full = SEENSET_DEGRADE;
    if (out == NULL || (options->flags & ~SEENSET_SHARED) != 0 ||
        (on_full != SEENSET_DEGRADE && on_full != SEENSET_REFUSE))
        return SEENSET_EINVAL;
    seenset_plan plan;
    ss_memory memory;
    int error = ss_memory_init(&memory, options->allocator);
    if (error == SEENSET_OK)
        error = plan_from_options(&plan, options);
    if (error != SEENSET_OK)
        return error;
    return make_planned(out, &memory, on_full,
                        (options->flags & SEENSET_SHARED) != 0, &plan);
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
           ss_set_added_items(newest) >= newest->capacity_items;
}

static SS_APART bool has_in_any(const seenset *set, uint64_t hash)
{
    for (uint32_t i = set->generation_count; i > 0; i--) {
        const ss_table *table = &set->generations[i - 1].table;
        if (table->layout->has(table, hash))
            return true;
    }
    return false;
}

static bool has_hash(const seenset *set, uint64_t hash)
{
    const ss_table *oldest = &set->generations[0].table;
    if (set->generation_count == 1)
        return oldest->layout->has(oldest, hash);
    return has_in_any(set, hash);
}

static SS_APART int add_hash_guarded(seenset *set, uint64_t hash)
{
    if (set->is_view)
        return SEENSET_EREADONLY;
    ss_generation *newest = ss_set_newest(set);
    if (is_full(set, newest))
        return has_hash(set, hash) ? 0 : SEENSET_EFULL;
    bool is_new = newest->table.layout->add(&newest->table, hash);
    if (is_new)
        ss_set_count_added(set, newest, 1);
    return is_new;
}

int seenset_add_hash(seenset *set, uint64_t hash)
{
    if (!set->is_plain)
        return add_hash_guarded(set, hash);
    ss_generation *only = set->generations;
    bool is_new = only->table.layout->add(&only->table, hash);
    only->added_items += is_new;
    return is_new;
}

int seenset_has_hash(const seenset *set, uint64_t hash)
{
    return has_hash(set, hash);
}

static SS_APART int add_key_guarded(seenset *set, const void *key,
                                    size_t key_len)
{
    return add_hash_guarded(set, ss_hash_key(key, key_len));
}

int seenset_add(seenset *set, const void *key, size_t key_len)
{
    if (key == NULL && key_len > 0)
        return SEENSET_EINVAL;
    if (!set->is_plain)
        return add_key_guarded(set, key, key_len);
    ss_generation *only = set->generations;
    bool is_new = only->table.layout->add_key(&only->table, key, key_len);
    only->added_items += is_new;
    return is_new;
}

static SS_APART bool has_key_in_any(const seenset *set, const void *key,
                                    size_t key_len)
{
    return has_in_any(set, ss_hash_key(key, key_len));
}

int seenset_has(const seenset *set, const void *key, size_t key_len)
{
    if (key == NULL && key_len > 0)
        return 0;
    const ss_table *oldest = &set->generations[0].table;
    if (set->generation_count == 1)
        return oldest->layout->has_key(oldest, key, key_len);
    return has_key_in_any(set, key, key_len);
}

/* At capacity: what is in the set is seen, everything else is refused. */
static bool refuse_many(const seenset *set, const ss_batch *batch,
                        uint8_t *is_new)
{
    uint64_t unused[SS_RING];
    bool was_refused = false;
    for (size_t i = 0; i < batch->count; i++) {
        uint64_t hash = ss_batch_feed(batch, i, batch->hashes != NULL, unused);
        is_new[i] = has_hash(set, hash) ? 0 : SEENSET_REFUSED;
        was_refused |= is_new[i] == SEENSET_REFUSED;
    }
    return was_refused;
}

/* How many keys may be given to the newest table at once: while a set refuses,
 * no more than fit if all are new, and in a shared one few at a time. */
static size_t fitting_count(const seenset *set, const ss_generation *newest,
                            size_t count)
{
    enum {
        SHARED_KEYS = 512
    };
    if (set->on_full != SEENSET_REFUSE)
        return count;
    uint64_t added = ss_set_added_items(newest);
    uint64_t room =
        added < newest->capacity_items ? newest->capacity_items - added : 0;
    if (set->is_shared && room > SHARED_KEYS)
        room = SHARED_KEYS;
    return room < count ? (size_t)room : count;
}

static int add_batch(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    ss_generation *newest = ss_set_newest(set);
    size_t done = 0;
    while (done < batch->count) {
        size_t count = fitting_count(set, newest, batch->count - done);
        if (count == 0)
            break;
        ss_batch part = ss_batch_part(batch, done, count);
        size_t news = newest->table.layout->add_many(&newest->table, &part,
                                                     is_new + done);
        ss_set_count_added(set, newest, news);
        done += count;
    }
    ss_batch rest = ss_batch_part(batch, done, batch->count - done);
    return refuse_many(set, &rest, is_new + done) ? SEENSET_EFULL : SEENSET_OK;
}

/* For a caller who does not want the answers: they go to a buffer, in parts. */
static int add_batch_blindly(seenset *set, const ss_batch *batch)
{
    uint8_t unwanted[4096];
    int error = SEENSET_OK;
    for (size_t done = 0, count; done < batch->count; done += count) {
        count = batch->count - done;
        if (count > sizeof unwanted)
            count = sizeof unwanted;
        ss_batch part = ss_batch_part(batch, done, count);
        if (add_batch(set, &part, unwanted) != SEENSET_OK)
            error = SEENSET_EFULL;
    }
    return error;
}

static int add_any(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    if (set->is_view)
        return SEENSET_EREADONLY;
    if (batch->count == 0)
        return SEENSET_OK;
    return is_new != NULL ? add_batch(set, batch, is_new)
                          : add_batch_blindly(set, batch);
}

static void has_any(const seenset *set, const ss_batch *batch, uint8_t *is_seen)
{
    const ss_table *table = &ss_set_newest(set)->table;
    if (batch->count > 0)
        table->layout->has_many(table, batch, is_seen);
}

bool ss_set_are_keys(const seenset_key *keys, size_t key_count)
{
    if (keys == NULL)
        return key_count == 0;
    size_t missing = 0; /* counted without a branch: millions pass here */
    for (size_t i = 0; i < key_count; i++)
        missing += (keys[i].data == NULL) & (keys[i].len > 0);
    return missing == 0;
}

int seenset_add_many(seenset *set, const seenset_key *keys, size_t key_count,
                     uint8_t *is_new)
{
    if (!ss_set_are_keys(keys, key_count))
        return SEENSET_EINVAL;
    ss_batch batch = {.keys = keys, .count = key_count};
    return add_any(set, &batch, is_new);
}

int seenset_has_many(const seenset *set, const seenset_key *keys,
                     size_t key_count, uint8_t *is_seen)
{
    if (!ss_set_are_keys(keys, key_count) || (is_seen == NULL && key_count > 0))
        return SEENSET_EINVAL;
    ss_batch batch = {.keys = keys, .count = key_count};
    has_any(set, &batch, is_seen);
    return SEENSET_OK;
}

int seenset_add_hash_many(seenset *set, const uint64_t *hashes,
                          size_t hash_count, uint8_t *is_new)
{
    if (hashes == NULL && hash_count > 0)
        return SEENSET_EINVAL;
    ss_batch batch = {.hashes = hashes, .count = hash_count};
    return add_any(set, &batch, is_new);
}

int seenset_has_hash_many(const seenset *set, const uint64_t *hashes,
                          size_t hash_count, uint8_t *is_seen)
{
    if ((hashes == NULL || is_seen == NULL) && hash_count > 0)
        return SEENSET_EINVAL;
    ss_batch batch = {.hashes = hashes, .count = hash_count};
    has_any(set, &batch, is_seen);
    return SEENSET_OK;
}

uint64_t ss_set_estimate_items(const ss_table *table, uint64_t least,
                               uint64_t most)
{
    double estimate = seenset_plan_item_estimate(
        ss_table_count_bits(table), table->size_bits, table->hash_count);
    if (!(estimate < (double)most))
        return most;
    uint64_t rounded = (uint64_t)llround(estimate);
    return rounded > least ? rounded : least;
}

/* The keys of a union; only the bits can tell which were in both. */
static uint64_t union_items(const ss_table *table, uint64_t a, uint64_t b)
{
    if (a == 0 || b == 0)
        return a + b;
    return ss_set_estimate_items(table, a > b ? a : b, a + b);
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
        union_items(&target->table, target->added_items, source->added_items);
    return SEENSET_OK;
}
