/* checks_images.c - tables that grow in place, checked by their segments; see
 * checks.h */
#include "expand/image/image.h"
#include "hash/block_sum.h"
#include "set/view/checks.h"
#include "set/view/checks_parts.h"

/* Blocks `first` to `last` of a table, which nobody reads meanwhile. */
static bool are_sound(const seenset *set, const ss_generation *generation,
                      uint64_t first, uint64_t last)
{
    bool is_good = true;
    for (uint64_t of = first; is_good && of <= last; of++)
        is_good = ss_checks_is_sound(set, generation, of);
    return is_good;
}

static void set_all_checked(const seenset *set, const ss_generation *generation,
                            uint64_t first, uint64_t last)
{
    for (uint64_t of = first; of <= last; of++)
        ss_checks_set(set, generation->first_block + of);
}

/* One that has grown since is not in the image any more, and was read
 * before. */
bool ss_checks_segment(const seenset *set, const ss_generation *generation,
                       uint64_t hash)
{
    const ss_expand *expand = generation->table.expand;
    uint64_t size_bytes, at = ss_image_find(expand, hash, &size_bytes);
    if (size_bytes == 0)
        return true;
    uint64_t first = at / SS_BLOCK_BYTES;
    uint64_t last = (at + size_bytes - 1) / SS_BLOCK_BYTES;
    if (ss_checks_is_set(set->checks->checked, generation->first_block + first))
        return true;
    if (!are_sound(set, generation, first, last) ||
        ss_image_check(expand, hash, true) != NULL)
        return false;
    set_all_checked(set, generation, first, last);
    return true;
}

bool ss_checks_segments(const seenset *set, const ss_generation *generation)
{
    uint64_t hash = 0;
    bool is_good;
    do {
        is_good = ss_checks_segment(set, generation, hash);
        hash = ss_image_after(generation->table.expand, hash);
    } while (is_good && hash != 0);
    return is_good;
}

/* Where pages are smaller than blocks, there is one segment. */
static bool check_image(const seenset *set, const ss_generation *generation)
{
    const ss_expand *expand = generation->table.expand;
    uint64_t pages_end = ss_image_pages_end(expand);
    uint64_t first = pages_end / SS_BLOCK_BYTES;
    uint64_t last = (expand->image_bytes - 1) / SS_BLOCK_BYTES;
    bool is_small = expand->unit_bits < SS_UNIT_BITS;
    if (is_small)
        first = 0;
    if (!are_sound(set, generation, first, last) ||
        (is_small && ss_image_check(expand, 0, true) != NULL))
        return false;
    set_all_checked(set, generation, first, last);
    return true;
}

uint32_t ss_checks_images(const seenset *set)
{
    uint32_t i = 0;
    while (i < set->generation_count &&
           (set->generations[i].table.expand == NULL ||
            check_image(set, &set->generations[i])))
        i++;
    return i;
}

bool ss_checks_has_sound(const seenset *set, uint64_t hash)
{
    uint64_t now = ss_set_now(set);
    bool is_seen = false;
    for (uint32_t i = 0; !is_seen && i < set->generation_count; i++) {
        const ss_generation *generation = &set->generations[i];
        const ss_table *table = &generation->table;
        is_seen = !ss_set_is_expired(set, i, now) &&
                  (table->expand == NULL ||
                   ss_checks_segment(set, generation, hash)) &&
                  table->layout->has(table, hash);
    }
    return is_seen;
}
