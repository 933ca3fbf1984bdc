/* load.c - see load.h */
#include "frontier/load.h"

#include <stddef.h>

#include "frontier/links.h"

#define ITEM_BITS 38
#define NO_ITEM ((UINT64_C(1) << ITEM_BITS) - 1) /* and what is above it */

static const ss_ends no_items = {SS_LINK_END, SS_LINK_END};

size_t ss_load_bytes(bool has_taken)
{
    return has_taken ? sizeof(ss_host_load) : offsetof(ss_host_load, taken);
}

/* ---- numbers of items ---- */

static uint64_t item_of(uint32_t low, uint32_t high)
{
    uint64_t item = (uint64_t)high << 32 | low;
    return item == NO_ITEM ? SS_LINK_END : item;
}

static void put_ends(ss_host_load *load, ss_ends ends)
{
    uint64_t first = ends.first < NO_ITEM ? ends.first : NO_ITEM;
    uint64_t last = ends.last < NO_ITEM ? ends.last : NO_ITEM;
    load->first = (uint32_t)first;
    load->last = (uint32_t)last;
    load->first_high = (first >> 32) & 63;
    load->last_high = (last >> 32) & 63;
}

static ss_ends ends_of(const ss_host_load *load)
{
    return (ss_ends){item_of(load->first, load->first_high),
                     item_of(load->last, load->last_high)};
}

void ss_load_init(ss_host_load *load)
{
    put_ends(load, no_items);
}

/* ---- the block ---- */

_Static_assert(sizeof(void *) <= offsetof(ss_host_load, last) + 4,
               "a pointer has room where first and last are");

bool ss_load_need_rest(ss_host_load *load, bool has_taken,
                       const ss_memory *memory)
{
    if (load->has_rest)
        return true;
    ss_host_rest *made = ss_memory_alloc_record(memory, sizeof *made);
    if (made == NULL)
        return false;
    for (unsigned i = 0; i < SS_FRONTIER_LANES; i++)
        made->chains[i] = no_items;
    made->chains[load->lane] = ends_of(load);
    made->items = load->items;
    made->taken = has_taken ? load->taken : 0;
    load->has_rest = true;
    memcpy(load, &made, sizeof made);
    return true;
}

static bool has_items(ss_ends ends)
{
    return ends.first != SS_LINK_END;
}

/* Half of the items that a load has room for: so that one more does not need
 * the block again. */
static bool is_small(const ss_host_rest *rest, bool has_taken)
{
    unsigned lanes = 0;
    for (unsigned i = 0; i < SS_FRONTIER_LANES; i++) {
        if (!has_items(rest->chains[i]))
            continue;
        lanes++;
        if (rest->chains[i].last >= NO_ITEM)
            return false;
    }
    return lanes <= 1 && rest->own == NULL && rest->pins == 0 &&
           rest->items <= SS_LOAD_MOST_ITEMS / 2 &&
           rest->taken < (has_taken ? SS_LOAD_MOST_TAKEN : 1);
}

bool ss_load_drop_rest(ss_host_load *load, bool has_taken,
                       const ss_memory *memory)
{
    unsigned lane = 0;
    ss_host_rest *rest = ss_load_rest(load);
    if (rest == NULL || !is_small(rest, has_taken))
        return false;
    (void)ss_load_best(load, &lane);
    load->has_rest = false;
    load->lane = lane & 15;
    load->items = rest->items & SS_LOAD_MOST_ITEMS;
    put_ends(load, rest->chains[lane]);
    if (has_taken)
        load->taken = (uint32_t)rest->taken;
    ss_memory_free(memory, rest, 1, sizeof *rest);
    return true;
}

bool ss_load_free(ss_host_load *load, const ss_memory *memory)
{
    ss_host_rest *rest = ss_load_rest(load);
    ss_memory_free(memory, rest, 1, sizeof *rest);
    load->has_rest = false;
    return rest != NULL;
}

/* ---- what is in either ---- */

uint64_t ss_load_items(const ss_host_load *load)
{
    const ss_host_rest *rest = ss_load_rest(load);
    return rest != NULL ? rest->items : load->items;
}

void ss_load_set_items(ss_host_load *load, uint64_t items)
{
    ss_host_rest *rest = ss_load_rest(load);
    if (rest != NULL)
        rest->items = items;
    else
        load->items = items & SS_LOAD_MOST_ITEMS;
}

uint64_t ss_load_taken(const ss_host_load *load, bool has_taken)
{
    const ss_host_rest *rest = ss_load_rest(load);
    if (rest != NULL)
        return rest->taken;
    return has_taken ? load->taken : 0;
}

void ss_load_set_taken(ss_host_load *load, bool has_taken, uint64_t taken)
{
    ss_host_rest *rest = ss_load_rest(load);
    if (rest != NULL)
        rest->taken = taken;
    else if (has_taken)
        load->taken = (uint32_t)taken;
}

/* ---- chains ---- */

bool ss_load_has_room(const ss_host_load *load, unsigned lane, uint64_t item)
{
    return load->has_rest || (item < NO_ITEM && (load->lane == lane ||
                                                 !has_items(ends_of(load))));
}

ss_ends ss_load_chain(const ss_host_load *load, unsigned lane)
{
    const ss_host_rest *rest = ss_load_rest(load);
    if (rest != NULL)
        return rest->chains[lane];
    return load->lane == lane ? ends_of(load) : no_items;
}

void ss_load_set_chain(ss_host_load *load, unsigned lane, ss_ends ends)
{
    ss_host_rest *rest = ss_load_rest(load);
    if (rest != NULL) {
        rest->chains[lane] = ends;
        return;
    }
    load->lane = lane & 15;
    put_ends(load, ends);
}

bool ss_load_best(const ss_host_load *load, unsigned *lane)
{
    const ss_host_rest *rest = ss_load_rest(load);
    if (rest == NULL) {
        *lane = load->lane;
        return has_items(ends_of(load));
    }
    unsigned i = SS_FRONTIER_LANES;
    while (i > 0 && !has_items(rest->chains[i - 1]))
        i--;
    *lane = i > 0 ? i - 1 : 0;
    return i > 0;
}
