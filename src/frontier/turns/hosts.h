/*
 * hosts.h - a table of hosts: from the hash of a name to a small number.
 *
 *     buckets   | 7 | - | 0 | 2 | ...      each the first of a list,
 *     rows      host 0 -> 5, host 1, ...   which goes on in the rows
 *
 * There is a bucket for each two hosts. With each second host that is added,
 * one more bucket gets what belongs there from one that is there already
 * (linear hashing: Litwin 1980). So no call has to put all hosts into a larger
 * table, and a host takes 2 bytes for the buckets and 4 for the list.
 *
 * Numbers stay, and so do pointers to rows. Rows of hosts that left make a
 * list, and are used again.
 */
#ifndef SS_FRONTIER_TURNS_HOSTS_H
#define SS_FRONTIER_TURNS_HOSTS_H

#include "frontier/turns/cells.h"
#include "frontier/turns/host.h"

#define SS_HOSTS_NONE UINT32_MAX

typedef struct ss_host_table {
    const seenset_allocator *memory;
    size_t load_bytes; /* of each host, set before the first is added */
    ss_cells rows;
    ss_cells buckets;      /* the first number of each */
    uint32_t bucket_count; /* of those that are in use */
    uint32_t half;         /* all bits below the highest of the last one */
    uint32_t room;         /* hosts that all this has room for */
    uint32_t used;         /* rows that were ever used */
    uint32_t count;
    uint32_t first_unused; /* or SS_HOSTS_NONE */
} ss_host_table;

void ss_hosts_init(ss_host_table *all, const seenset_allocator *memory);
void ss_hosts_free(ss_host_table *all);

/* The row of a host, or one that is unused. */
static inline ss_host_row *ss_hosts_row(const ss_host_table *all,
                                        uint32_t number)
{
    return ss_cells_at(&all->rows, number);
}

/* The number of a host, or SS_HOSTS_NONE. */
uint32_t ss_hosts_find(const ss_host_table *all, uint64_t hash);

/* Is there room for one more? */
bool ss_hosts_have_room(const ss_host_table *all);

/* Makes room for SS_PIECE_CELLS more. Returns 0 or SEENSET_ENOMEM. */
int ss_hosts_grow(ss_host_table *all);

/* Adds one that is not there, for which there is room: its row and its load are
 * zeroed but for the hash. */
uint32_t ss_hosts_add(ss_host_table *all, uint64_t hash);

void ss_hosts_remove(ss_host_table *all, uint32_t number);

/* The bytes of rows and buckets. */
uint64_t ss_hosts_bytes(const ss_host_table *all);

#endif
