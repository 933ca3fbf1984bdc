/*
 * loops.h - from the look at a line to the layout's row of
 * functions.
 *
 * Included once by each kernel, after its line_match and line_push (expand's
 * line_portable.h, line_avx2.h, line_vbmi.h), with TWIN_ROW and TWIN_NAME
 * defined.
 */
#ifndef TWIN_ROW
#error "include this from a kernel: see fingerprint.h"
#endif
#include "lines/home_line.h"
#include "table/batch_feed.h"
#include "table/fingerprint/insert.h"

/* A unit that goes on in later lines. */
static SS_NOINLINE bool has_beyond(const ss_fingerprint_place *place,
                                   uint32_t width)
{
    uint32_t slots = ss_line_slots(width);
    const uint64_t *line = place->line;
    uint32_t first = ss_line_end(line[SS_SLOT_WORDS], place->unit);
    uint32_t end = ss_line_end(line[SS_SLOT_WORDS], place->unit + 1);
    for (uint32_t left = place->left; end > slots && left > 0; left--) {
        first = first > slots ? first - slots : 0;
        end -= slots;
        line += SS_LINE_WORDS;
        uint32_t here = end < slots ? end : slots;
        if (line_match(line, width, first, here, place->query))
            return true;
    }
    return false;
}

static SS_ALWAYS_INLINE bool unit_has(const ss_fingerprint_place *place,
                                      uint32_t width)
{
    int is_seen = look(place->line, place->unit, width, place->query);
    return is_seen == BEYOND ? has_beyond(place, width) : is_seen;
}

static SS_ALWAYS_INLINE bool has_at(const ss_table *table, uint64_t hash,
                                    uint32_t width)
{
    ss_fingerprint_place place = ss_fingerprint_place_with(table, hash, width);
    return unit_has(&place, width);
}

static SS_NOINLINE void put(ss_fingerprint_place place, uint32_t width)
{
    ss_fingerprint_put(&place, width, place.query);
}

static SS_ALWAYS_INLINE bool add_at(const ss_table *table, uint64_t hash,
                                    uint32_t width)
{
    ss_fingerprint_place place = ss_fingerprint_place_with(table, hash, width);
    bool is_new = !unit_has(&place, width);
    if (!is_new || !insert(&place, width, place.query))
        put(place, width);
    return is_new;
}

/* The widths for 1 % and for a hundredth of that are compiled on their own. */
static int kernel_has(const ss_table *table, uint64_t hash)
{
    switch (table->hash_count) {
    case 10:
        return has_at(table, hash, 10);
    case 16:
        return has_at(table, hash, 16);
    default:
        return has_at(table, hash, table->hash_count);
    }
}

static bool kernel_add(ss_table *table, uint64_t hash)
{
    switch (table->hash_count) {
    case 10:
        return add_at(table, hash, 10);
    case 16:
        return add_at(table, hash, 16);
    default:
        return add_at(table, hash, table->hash_count);
    }
}

static int kernel_has_key(const ss_table *table, const void *key,
                          size_t key_len)
{
    return kernel_has(table, ss_hash_key(key, key_len));
}

static bool kernel_add_key(ss_table *table, const void *key, size_t key_len)
{
    return kernel_add(table, ss_hash_key(key, key_len));
}

/* Answers for every key of a batch, its home fetched SS_AHEAD keys before. */
static SS_ALWAYS_INLINE size_t for_each_key(const ss_table *table,
                                            const ss_batch *batch,
                                            bool (*each)(const ss_table *,
                                                         uint64_t, uint32_t),
                                            uint32_t width, uint8_t *answers)
{
    uint64_t ring[SS_RING];
    bool is_hashed = batch->hashes != NULL;
    size_t hits = 0;
    ss_batch_start(batch, is_hashed, ring);
    for (size_t i = 0; i < batch->count + SS_AHEAD; i++) {
        if (i < batch->count) {
            uint64_t hash = ss_batch_feed(batch, i, is_hashed, ring);
            SS_PREFETCH(ss_fingerprint_place_with(table, hash, width).line);
        }
        if (i < SS_AHEAD)
            continue;
        uint64_t hash = ss_batch_take(batch, i - SS_AHEAD, is_hashed, ring);
        answers[i - SS_AHEAD] = each(table, hash, width);
        hits += answers[i - SS_AHEAD];
    }
    return hits;
}

static size_t kernel_add_many(ss_table *table, const ss_batch *batch,
                              uint8_t *is_new)
{
    switch (table->hash_count) {
    case 10:
        return for_each_key(table, batch, add_at, 10, is_new);
    case 16:
        return for_each_key(table, batch, add_at, 16, is_new);
    default:
        return for_each_key(table, batch, add_at, table->hash_count, is_new);
    }
}

static size_t kernel_has_many(const ss_table *table, const ss_batch *batch,
                              uint8_t *is_seen)
{
    switch (table->hash_count) {
    case 10:
        return for_each_key(table, batch, has_at, 10, is_seen);
    case 16:
        return for_each_key(table, batch, has_at, 16, is_seen);
    default:
        return for_each_key(table, batch, has_at, table->hash_count, is_seen);
    }
}

const ss_layout TWIN_ROW = {.traits = &ss_fingerprint_traits,
                            .name = TWIN_NAME,
                            .range = ss_fingerprint_range,
                            .list_bits = ss_fingerprint_list_bits,
                            .add = kernel_add,
                            .has = kernel_has,
                            .add_key = kernel_add_key,
                            .has_key = kernel_has_key,
                            .add_many = kernel_add_many,
                            .has_many = kernel_has_many,
                            .remove = ss_fingerprint_remove,
                            .count = ss_fingerprint_count,
                            .remove_key = ss_fingerprint_remove_key,
                            .count_key = ss_fingerprint_count_key,
                            .count_full = ss_fingerprint_count_cut,
                            .can_take = ss_fingerprint_can_take,
                            .merge = ss_fingerprint_merge,
                            .sample = ss_fingerprint_sample,
                            .events = ss_fingerprint_events,
                            .are_sound = ss_fingerprint_are_sound};
