/*
 * expandable.c - the expandable layout: a table that grows in place
 * (expand/expand.h) as a row among the others.
 *
 * It has no m and no k: its words are pages of its own, and a hash is looked
 * for in one place. It takes any number of keys. An add may need memory for
 * that, and a row's functions cannot fail: so ss_table_reserve comes before.
 */
#include "table/expandable.h"

#include "hash/xxh3.h"
#include "table/batch_feed.h"
#include "table/table.h"

enum {
    CHUNK_KEYS = 32 * SS_GROUP
};

static bool add(ss_table *table, uint64_t hash)
{
    return ss_expand_add(table->expand, hash) == 1;
}

static int has(const ss_table *table, uint64_t hash)
{
    return ss_expand_has(table->expand, hash);
}

static bool add_key(ss_table *table, const void *key, size_t key_len)
{
    return add(table, ss_hash_key(key, key_len));
}

static int has_key(const ss_table *table, const void *key, size_t key_len)
{
    return has(table, ss_hash_key(key, key_len));
}

/* The hashes of a part of a batch: ready ones, or made here. */
static const uint64_t *hashes_of(const ss_batch *batch, size_t first,
                                 size_t count, uint64_t made[CHUNK_KEYS])
{
    if (batch->hashes != NULL)
        return batch->hashes + first;
    for (size_t i = 0; i < count; i += SS_GROUP)
        ss_batch_hash_group(batch, first + i,
                            count - i < SS_GROUP ? count - i : SS_GROUP,
                            made + i);
    return made;
}

/* Ready hashes go to the table as they are, keys a chunk at a time. */
static size_t chunk_count(const ss_batch *batch, size_t done)
{
    size_t left = batch->count - done;
    return batch->hashes != NULL || left < CHUNK_KEYS ? left : CHUNK_KEYS;
}

static size_t count_ones(const uint8_t *answers, size_t count)
{
    size_t ones = 0;
    for (size_t i = 0; i < count; i++)
        ones += answers[i];
    return ones;
}

static size_t add_many(ss_table *table, const ss_batch *batch, uint8_t *is_new)
{
    uint64_t made[CHUNK_KEYS];
    size_t news = 0;
    for (size_t done = 0, count; done < batch->count; done += count) {
        size_t added = 0;
        count = chunk_count(batch, done);
        (void)ss_expand_add_many(table->expand,
                                 hashes_of(batch, done, count, made), count,
                                 is_new + done, &added);
        news += count_ones(is_new + done, added);
    }
    return news;
}

static size_t has_many(const ss_table *table, const ss_batch *batch,
                       uint8_t *is_seen)
{
    uint64_t made[CHUNK_KEYS];
    size_t seen = 0;
    for (size_t done = 0, count; done < batch->count; done += count) {
        count = chunk_count(batch, done);
        seen += ss_expand_has_many(table->expand,
                                   hashes_of(batch, done, count, made), count,
                                   is_seen + done);
    }
    return seen;
}

/* All bits of the table, and those of slots that are used. A part of them would
 * show no more: the rate is kept as keys come, and not counted. */
static ss_sample sample(const ss_table *table, const ss_part *part)
{
    (void)part;
    return (ss_sample){.cells = ss_expand_bytes(table->expand) * 8,
                       .set_cells = ss_expand_used_bits(table->expand),
                       .rate = ss_expand_rate(table->expand)};
}

const ss_layout_traits ss_expandable_traits = {.id = SEENSET_LAYOUT_EXPANDABLE,
                                               .name = "expandable",
                                               .first_file_version = 6,
                                               .is_expandable = true,
                                               .can_merge = true,
                                               .min_hash_count = 1,
                                               .max_hash_count = 1,
                                               .hash_count_step = 1,
                                               .unit_bits = ss_table_one_bit,
                                               .max_size_bits =
                                                   SEENSET_MAX_SIZE_BITS};

const ss_layout ss_expandable = {.traits = &ss_expandable_traits,
                                 .name = "expandable",
                                 .range = ss_table_whole_range,
                                 .range_step_bits = SS_LINE_BITS,
                                 .add = add,
                                 .has = has,
                                 .add_key = add_key,
                                 .has_key = has_key,
                                 .add_many = add_many,
                                 .has_many = has_many,
                                 .sample = sample};

ss_table ss_expandable_table(ss_expand *expand)
{
    ss_table table = ss_table_make(&ss_expandable, 0, 1, 1, NULL);
    table.expand = expand;
    return table;
}
