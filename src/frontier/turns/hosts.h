/*
 * hosts.h - a table of hosts: from the hash of a name to a small number.
 *
 *     slots   | 0 | 7 | 0 | 0 | 2 | ...   a host's number and 1; 0: empty
 *     rows    host 0, host 1, ...         those that left make a list
 *
 * A hash is looked for from its own slot on until an empty one. At most half of
 * the slots are full, and a host that leaves moves up those after it, so there
 * are no marks of hosts that were. Numbers stay; pointers to rows do until the
 * next host is added.
 */
#ifndef SS_FRONTIER_TURNS_HOSTS_H
#define SS_FRONTIER_TURNS_HOSTS_H

#include "seenset/base.h"
#include "frontier/turns/host.h"

#define SS_HOSTS_NONE UINT32_MAX

typedef struct ss_host_table {
    const seenset_allocator *memory;
    ss_host_row *rows;
    uint32_t *slots;
    uint32_t room, used; /* rows: there are, and were ever used */
    uint32_t count;
    uint32_t first_unused; /* or SS_HOSTS_NONE */
} ss_host_table;

void ss_hosts_init(ss_host_table *all, const seenset_allocator *memory);
void ss_hosts_free(ss_host_table *all);

/* The number of a host, or SS_HOSTS_NONE. */
uint32_t ss_hosts_find(const ss_host_table *all, uint64_t hash);

/* Is there room for one more? */
bool ss_hosts_have_room(const ss_host_table *all);

/* How many there will be room for. */
uint32_t ss_hosts_next_room(const ss_host_table *all);

/* Makes that room. Returns 0 or SEENSET_ENOMEM. */
int ss_hosts_grow(ss_host_table *all);

/* Adds one that is not there, for which there is room: its row is zeroed but
 * for the hash. */
uint32_t ss_hosts_add(ss_host_table *all, uint64_t hash);

void ss_hosts_remove(ss_host_table *all, uint32_t number);

/* The bytes of both tables. */
uint64_t ss_hosts_bytes(const ss_host_table *all);

#endif
