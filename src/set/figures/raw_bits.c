/*
 * raw_bits.c - the bits of a table alone: another system's filter made a set,
 * and a set's bits for another system.
 */
#include <math.h>

#include "seenset/extra/formulas.h"
#include "set/view/checks.h"
#include "set/options.h"
#include "table/layouts.h"

/* The bytes of m cells. */
static uint64_t bytes_of(uint64_t size_bits, uint32_t cell_bits)
{
    return (size_bits * cell_bits + 7) / 8;
}

/* The options with a size: all the bytes, if none is given. */
static int complete(seenset_options *made, const seenset_options *options,
                    uint64_t size_bytes)
{
    const ss_layout_traits *layout = ss_layout_find_traits(options->layout);
    *made = *options;
    if (layout == NULL || options->hash_count == 0 || size_bytes == 0)
        return SEENSET_EINVAL;
    if (size_bytes > SEENSET_MAX_SIZE_BITS * 2) /* of counters of 16 bits */
        return SEENSET_ETOOBIG;
    uint32_t cell_bits = options->counter_bits != 0
                             ? options->counter_bits
                             : ss_layout_cell_bits(layout);
    if (made->size_bits == 0)
        made->size_bits = size_bytes * 8 / cell_bits;
    return SEENSET_OK;
}

/* Do the bytes hold that table, and nothing past its end? */
static bool is_table(const ss_set_spec *spec, const seenset_options *made,
                     const uint8_t *bytes, uint64_t size_bytes)
{
    uint64_t m = spec->first.size_bits;
    unsigned used = (unsigned)(m * spec->cell_bits % 8);
    return m == made->size_bits && size_bytes == bytes_of(m, spec->cell_bits) &&
           (used == 0 || bytes[size_bytes - 1] >> used == 0);
}

static void fill(ss_table *table, const uint8_t *bytes, size_t size_bytes)
{
    size_t whole = size_bytes / 8;
    ss_bits_bytes_to_words(table->words, bytes, whole);
    if (size_bytes % 8 != 0)
        table->words[whole] =
            ss_bits_load(bytes + 8 * whole, (unsigned)(size_bytes % 8));
}

/* The keys that the bits are probably of. A full table of bits has more than
 * one in which a single cell is not set. */
static uint64_t estimate_items(const ss_table *table)
{
    uint64_t cells = ss_table_count_cells(table), m = table->size_bits;
    if (table->layout->traits->has_slots)
        return ss_set_estimate_items(table, 0, SEENSET_MAX_SIZE_BITS);
    if (cells == m)
        cells = m - 1;
    double items = seenset_plan_item_estimate(cells, m, table->hash_count);
    return (uint64_t)llround(fmin(items, (double)SEENSET_MAX_SIZE_BITS));
}

int seenset_from_bits(seenset **out, const seenset_options *options,
                      const void *bytes, size_t size_bytes)
{
    seenset_options made;
    ss_set_spec spec;
    if (out == NULL || options == NULL || bytes == NULL)
        return SEENSET_EINVAL;
    int error = complete(&made, options, size_bytes);
    if (error == SEENSET_OK)
        error = ss_set_specify(&spec, &made);
    if (error != SEENSET_OK)
        return error;
    ss_key_hash_wipe(&spec.kind.identity);
    if (!is_table(&spec, &made, bytes, size_bytes))
        return SEENSET_EINVAL;
    seenset *set;
    made.flags |= SEENSET_FLAG_ANY_RATE; /* the bits are what they are */
    error = seenset_new(&set, &made);
    if (error != SEENSET_OK)
        return error;
    ss_generation *only = set->generations;
    fill(&only->table, bytes, size_bytes);
    if (!ss_table_is_sound(&only->table)) {
        seenset_free(set);
        return SEENSET_EINVAL;
    }
    only->added_items = estimate_items(&only->table);
    *out = set;
    return SEENSET_OK;
}

static void copy_out(uint8_t *bytes, const uint64_t *words, size_t size_bytes)
{
    size_t whole = size_bytes / 8;
    for (size_t i = 0; i < whole; i++)
        ss_bits_store(bytes + 8 * i, 8, ss_bits_read(&words[i]));
    if (size_bytes % 8 != 0)
        ss_bits_store(bytes + 8 * whole, (unsigned)(size_bytes % 8),
                      ss_bits_read(&words[whole]));
}

int seenset_to_bits(const seenset *set, void *bytes, size_t *size_bytes)
{
    if (set == NULL || size_bytes == NULL)
        return SEENSET_EINVAL;
    if (set->generation_count > 1 || ss_set_is_sealed(set))
        return SEENSET_EUNSUPPORTED;
    const ss_table *table = &set->generations[0].table;
    size_t needed = (size_t)bytes_of(table->size_bits, table->cell_bits);
    bool is_room = bytes != NULL && *size_bytes >= needed;
    int error = is_room ? ss_checks_all(set) : SEENSET_ESPACE;
    if (error == SEENSET_OK)
        copy_out(bytes, table->words, needed);
    if (error != SEENSET_ECORRUPT)
        *size_bytes = needed;
    return error;
}
