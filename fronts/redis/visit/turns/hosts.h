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
#ifndef TURNS_HOSTS_H
#define TURNS_HOSTS_H

#include "seenset/base.h"
#include "visit/turns/host.h"

#define HOSTS_NONE UINT32_MAX

typedef struct host_table {
    const seenset_allocator *memory;
    host_row *rows;
    uint32_t *slots;
    uint32_t room, used; /* rows: there are, and were ever used */
    uint32_t count;
    uint32_t first_unused; /* or HOSTS_NONE */
} host_table;

void hosts_init(host_table *all, const seenset_allocator *memory);
void hosts_free(host_table *all);

/* The number of a host, or HOSTS_NONE. */
uint32_t hosts_find(const host_table *all, uint64_t hash);

/* Is there room for one more? */
bool hosts_have_room(const host_table *all);

/* How many there will be room for. */
uint32_t hosts_next_room(const host_table *all);

/* Makes that room. Returns 0 or SEENSET_ENOMEM. */
int hosts_grow(host_table *all);

/* Adds one that is not there, for which there is room: its row is zeroed but
 * for the hash. */
uint32_t hosts_add(host_table *all, uint64_t hash);

void hosts_remove(host_table *all, uint32_t number);

/* The bytes of both tables. */
uint64_t hosts_bytes(const host_table *all);

#endif
