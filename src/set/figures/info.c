/* info.c - what a set is, and what its cells hold, one table at a time */
#include "seenset/info.h"

#include <math.h>

#include "seenset/extra/raw.h"
#include "base/growth.h"
#include "expand/state.h"
#include "set/capacity.h"
#include "set/view/checks.h"
#include "set/kinds/kind.h"
#include "set/set.h"
#include "set/window.h"
#include "table/classic/counter.h"
#include "table/expandable.h"

static uint64_t memory_bytes(const seenset *set)
{
    bool is_file = set->is_view && set->mapping != NULL;
    uint64_t bytes = is_file ? set->mapping_bytes : 0;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_table *table = &set->generations[i].table;
        if (!is_file)
            bytes += ss_table_bytes(table);
        else if (table->expand != NULL) /* its directory, outside the file */
            bytes += ss_table_bytes(table) - table->expand->image_bytes;
    }
    const ss_scheme_arguments *arguments = &set->identity.arguments;
    return bytes + ss_set_own_bytes(set->own_count) + ss_set_room_bytes(set) +
           arguments->seed_count * sizeof *arguments->seeds +
           ss_checks_memory_bytes(set);
}

/* The keys that a table was planned for; one that grows in place has room for
 * so many as it is. */
static uint64_t capacity_of(const ss_generation *generation)
{
    const ss_expand *expand = generation->table.expand;
    if (expand == NULL)
        return generation->capacity_items;
    uint64_t room = ss_expand_room(expand);
    uint64_t added = ss_set_added_items(generation);
    return room > added ? room : added;
}

/* Of the tables whose keys are remembered. */
static void add_up_items(const seenset *set, uint64_t now, seenset_info *info)
{
    for (uint32_t i = 0; i < set->generation_count; i++) {
        if (ss_set_is_expired(set, i, now))
            continue;
        info->capacity_items += capacity_of(&set->generations[i]);
        info->added_items += ss_set_added_items(&set->generations[i]);
    }
    if (set->on_full == SEENSET_ON_FULL_ROTATE)
        info->capacity_items = set->capacity_items;
}

/* What the scheme was given, or has on its own. */
static void add_arguments(seenset_info *info, const ss_key_hash *identity)
{
    const ss_scheme *scheme = ss_scheme_find(identity->scheme);
    const ss_scheme_arguments *arguments = &identity->arguments;
    info->seed = arguments->seed;
    info->seeds = ss_scheme_seeds(scheme, arguments, &info->seed_count);
    if (info->seeds != NULL)
        info->unit_bits = arguments->unit_bits == 16 ? 16 : 8;
}

/* A slot of a table that can change has a bit more than its fingerprint. */
static uint32_t fingerprint_bits_of(const ss_table *table)
{
    return table->layout->traits->has_slots ? table->hash_count - 1
                                            : table->fuse.fingerprint_bits;
}

/* What was asked for; or, of a list that took in tables which promise more
 * together, that. */
static double promised_rate(const seenset *set)
{
    double log_missed = 0.0;
    for (uint32_t i = 0; i < set->generation_count; i++)
        log_missed += log1p(-set->generations[i].fp_rate);
    bool is_list =
        set->on_full == SEENSET_ON_FULL_GROW || ss_window_is_by_age(set);
    return is_list ? fmax(set->fp_rate, -expm1(log_missed)) : set->fp_rate;
}

seenset_info ss_set_info(const seenset *set, uint64_t now)
{
    ss_checks_settle(set);
    const ss_table *newest = &ss_set_newest(set)->table;
    const ss_table *oldest = &set->generations[0].table;
    seenset_info info = {.layout = oldest->layout->traits->id,
                         .on_full = set->on_full,
                         .flags = set->tables->flags,
                         .is_read_only = set->kind->is_read_only,
                         .fp_rate = promised_rate(set),
                         .table_count = set->generation_count,
                         .is_keyed = ss_key_hash_is_keyed(&set->identity),
                         .scheme = (seenset_scheme)set->identity.scheme,
                         .counter_bits =
                             newest->cell_bits > 1 ? newest->cell_bits : 0,
                         .fingerprint_bits = fingerprint_bits_of(newest),
                         .window_generations = set->window_generations,
                         .window_seconds = set->window_seconds,
                         .memory_bytes = memory_bytes(set),
                         .format_version = set->format_version,
                         .is_checked = ss_checks_has_sums(set),
                         .journal_items = set->journal_items,
                         .journal_bytes = set->journal_bytes,
                         .journal_missing_items = set->journal_missing_items,
                         .made_fp_rate = set->fp_rate,
                         .is_copied = set->is_copied_view};
    add_arguments(&info, &set->identity);
    add_up_items(set, now, &info);
    info.is_at_capacity = ss_capacity_is_reached(set);
    return info;
}

int seenset_get_info(const seenset *set, seenset_info *out, size_t out_bytes)
{
    if (set == NULL || out == NULL)
        return SEENSET_EINVAL;
    seenset_info info = ss_set_info(set, ss_set_now(set));
    return ss_growth_hand_out(out, out_bytes, &info, sizeof info);
}

/* The bits of what a count of cells counts: a slot of a sealed table is one. */
static uint32_t cell_bits_of(const ss_table *table)
{
    return table->fuse.fingerprint_bits > 0 ? table->fuse.fingerprint_bits
                                            : table->cell_bits;
}

static uint64_t cell_count_of(const ss_table *table)
{
    return table->fuse.fingerprint_bits > 0 ? table->fuse.slot_count
                                            : table->size_bits;
}

int seenset_get_table_info(const seenset *set, uint32_t table,
                           seenset_table_info *out, size_t out_bytes)
{
    if (set == NULL || out == NULL || table >= set->generation_count)
        return SEENSET_EINVAL;
    ss_checks_settle(set);
    const ss_generation *asked = &set->generations[table];
    uint32_t step_bits = asked->table.layout->range_step_bits;
    seenset_table_info info = {
        .size_bits = ss_table_size_bits(&asked->table),
        .hash_count = asked->table.hash_count,
        .cell_bits = cell_bits_of(&asked->table),
        .cell_count = cell_count_of(&asked->table),
        .capacity_items = capacity_of(asked),
        .fp_rate = asked->fp_rate,
        .added_items = ss_set_added_items(asked),
        .started_seconds = asked->started_seconds,
        .memory_bytes = ss_table_bytes(&asked->table),
        .block_bits = step_bits > 1 ? step_bits : 0,
        .is_expired = ss_set_is_expired(set, table, ss_set_now(set)),
        .layout = asked->table.layout->traits->id};
    return ss_growth_hand_out(out, out_bytes, &info, sizeof info);
}

/* ---- cells ---- */

/* Is there such a table, and are there `count` of `all` cells from `first` on?
 */
static bool is_range(uint64_t first, uint64_t count, uint64_t all)
{
    return first <= all && count <= all - first;
}

/* Tables that grow in place have none to be looked at one by one. */
static bool has_cells(const ss_generation *generation, uint64_t count)
{
    return generation->table.expand == NULL || count == 0;
}

int seenset_get_bits(const seenset *set, uint32_t table, uint64_t first,
                     uint64_t count, uint8_t *bits)
{
    if (set == NULL || (bits == NULL && count > 0) ||
        table >= set->generation_count)
        return SEENSET_EINVAL;
    const ss_generation *asked = &set->generations[table];
    if (!has_cells(asked, count))
        return SEENSET_EUNSUPPORTED;
    if (!is_range(first, count, asked->table.size_bits))
        return SEENSET_EINVAL;
    uint64_t cell_bits = asked->table.cell_bits;
    int error =
        ss_checks_bits(set, asked, first * cell_bits, count * cell_bits);
    if (error != SEENSET_OK)
        return error;
    for (uint64_t i = 0; i < count; i++) {
        ss_counter at = ss_counter_at(&asked->table, first + i);
        bits[i] = ss_counter_value(at) > 0;
    }
    return SEENSET_OK;
}

int seenset_get_counters(const seenset *set, uint32_t table, uint64_t first,
                         uint64_t count, uint16_t *counters)
{
    if (set == NULL || (counters == NULL && count > 0) ||
        table >= set->generation_count)
        return SEENSET_EINVAL;
    const ss_generation *asked = &set->generations[table];
    if (asked->table.layout->traits->max_counter_bits == 0)
        return SEENSET_EUNSUPPORTED;
    if (!is_range(first, count, asked->table.size_bits))
        return SEENSET_EINVAL;
    uint64_t cell_bits = asked->table.cell_bits;
    int error =
        ss_checks_bits(set, asked, first * cell_bits, count * cell_bits);
    for (uint64_t i = 0; error == SEENSET_OK && i < count; i++)
        counters[i] =
            (uint16_t)ss_counter_value(ss_counter_at(&asked->table, first + i));
    return error;
}

/* How many cells are not 0 among bits `first` to `end` of some words, where no
 * cell crosses from a word into the next. */
static uint64_t count_in_words(const uint64_t *words, uint64_t first,
                               uint64_t end, uint32_t cell_bits)
{
    uint64_t found = 0;
    while (first < end) {
        uint64_t skipped = first % SS_WORD_BITS;
        uint64_t left = end - first;
        uint64_t taken = SS_WORD_BITS - skipped;
        uint64_t word = ss_bits_read(&words[first / SS_WORD_BITS]) >> skipped;
        if (taken > left) {
            taken = left;
            word &= (UINT64_C(1) << taken) - 1;
        }
        found += ss_bits_count(ss_bits_fold(word, cell_bits));
        first += taken;
    }
    return found;
}

uint64_t ss_set_count_cells(const ss_table *table, uint64_t first,
                            uint64_t count, uint32_t cell_bits)
{
    uint64_t found = 0;
    if (SS_WORD_BITS % cell_bits == 0)
        return count_in_words(table->words, first * cell_bits,
                              (first + count) * cell_bits, cell_bits);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bit = (first + i) * cell_bits;
        ss_counter at = {.word = table->words + bit / SS_WORD_BITS,
                         .shift = (unsigned)(bit % SS_WORD_BITS),
                         .bits = cell_bits,
                         .can_cross = true};
        found += ss_counter_value(at) != 0;
    }
    return found;
}

int seenset_count_cells(const seenset *set, uint32_t table, uint64_t first,
                        uint64_t count, uint64_t *set_count)
{
    if (set == NULL || set_count == NULL || table >= set->generation_count)
        return SEENSET_EINVAL;
    const ss_generation *asked = &set->generations[table];
    if (!has_cells(asked, count))
        return SEENSET_EUNSUPPORTED;
    if (!is_range(first, count, cell_count_of(&asked->table)))
        return SEENSET_EINVAL;
    uint32_t cell_bits = cell_bits_of(&asked->table);
    int error =
        ss_checks_bits(set, asked, first * cell_bits, count * cell_bits);
    if (error == SEENSET_OK)
        *set_count = ss_set_count_cells(&asked->table, first, count, cell_bits);
    return error;
}
