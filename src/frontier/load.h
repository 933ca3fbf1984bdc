/*
 * load.h - what a frontier keeps of each host, in 12 bytes after its row of
 * turns:
 *
 *     bits   first 38   last 38   items 14   lane 4   has_again   has_rest
 *
 * The first and the last item that wait in its lane, and how many items are not
 * acked. With a budget for all hosts, 4 bytes more have how many were taken.
 *
 * Few hosts have more to be kept: settings of their own, items in several
 * lanes, 16,384 items, an item with a number of 2^38 or more. They have a block
 * with all of it instead, for as long as they need that (about 210 bytes): then
 * the place of first and last has a pointer to it. A call that may need such a
 * block can fail, also one that links items which were pushed before.
 */
#ifndef SS_FRONTIER_LOAD_H
#define SS_FRONTIER_LOAD_H

#include <string.h>

#include "base/memory.h"
#include "frontier/turns/host_queue.h"

enum {
    SS_FRONTIER_LANES = SS_HOST_RANKS,
    SS_LOAD_MOST_ITEMS = (1 << 14) - 1
};

#define SS_LOAD_MOST_TAKEN UINT32_MAX

/* The first item of a chain and its last; both SS_LINK_END: it has none. */
typedef struct ss_ends {
    uint64_t first, last;
} ss_ends;

/* What is set for a host, and its name, which is after it. */
typedef struct ss_host_own {
    uint64_t delay_ms, budget; /* SS_FRONTIER_USUAL; 0: as all */
    size_t name_len;
} ss_host_own;

typedef struct ss_host_rest {
    ss_host_own *own; /* or NULL */
    uint64_t items;   /* that are not acked */
    uint64_t taken;   /* since it has a budget */
    uint64_t pins;    /* calls that will change it: it is not forgotten */
    ss_ends chains[SS_FRONTIER_LANES];
} ss_host_rest;

typedef struct ss_host_load {
    uint32_t first, last; /* their lower bits; or the pointer to the rest */
    uint32_t first_high : 6, last_high : 6;
    uint32_t items : 14, lane : 4;
    uint32_t has_again : 1; /* items that were handed out wait */
    uint32_t has_rest : 1;
    uint32_t taken; /* only if all hosts have a budget */
} ss_host_load;

/* How many bytes of it there are. */
size_t ss_load_bytes(bool has_taken);

/* A new one has no chains. */
void ss_load_init(ss_host_load *load);

/* NULL: all is in it. */
static inline ss_host_rest *ss_load_rest(const ss_host_load *load)
{
    ss_host_rest *rest;
    if (!load->has_rest)
        return NULL;
    memcpy(&rest, load, sizeof rest);
    return rest;
}

/* All that there is to be kept goes to a block, unless it is there. False: no
 * memory. */
bool ss_load_need_rest(ss_host_load *load, bool has_taken,
                       const ss_memory *memory);

/* The block goes, if there is one whose settings are gone and whose numbers
 * have room without it. Returns whether it did. */
bool ss_load_drop_rest(ss_host_load *load, bool has_taken,
                       const ss_memory *memory);

/* A host is forgotten: its block is freed. Returns whether there was one. */
bool ss_load_free(ss_host_load *load, const ss_memory *memory);

uint64_t ss_load_items(const ss_host_load *load);
uint64_t ss_load_taken(const ss_host_load *load, bool has_taken);
static inline ss_host_own *ss_load_own(const ss_host_load *load)
{
    const ss_host_rest *rest = ss_load_rest(load);
    return rest == NULL ? NULL : rest->own;
}

/* There is room for these. */
void ss_load_set_items(ss_host_load *load, uint64_t items);
void ss_load_set_taken(ss_host_load *load, bool has_taken, uint64_t taken);

/* Has an item room in the chain of its lane, without a block? */
bool ss_load_has_room(const ss_host_load *load, unsigned lane, uint64_t item);

ss_ends ss_load_chain(const ss_host_load *load, unsigned lane);
void ss_load_set_chain(ss_host_load *load, unsigned lane, ss_ends ends);

/* The highest lane that has items; false: none has. */
bool ss_load_best(const ss_host_load *load, unsigned *lane);

#endif
