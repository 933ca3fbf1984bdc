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

typedef struct hosts {
    const seenset_allocator *memory;
    host_row *rows;
    uint32_t *slots;
    uint32_t room, used; /* rows: there are, and were ever used */
    uint32_t count;
    uint32_t first_unused; /* or HOSTS_NONE */
} hosts;

void hosts_init(hosts *all, const seenset_allocator *memory);
void hosts_free(hosts *all);

/* The number of a host, or HOSTS_NONE. */
uint32_t hosts_find(const hosts *all, uint64_t hash);

/* Is there room for one more? */
bool hosts_have_room(const hosts *all);

/* How many there will be room for. */
uint32_t hosts_next_room(const hosts *all);

/* Makes that room. Returns 0 or SEENSET_ENOMEM. */
int hosts_grow(hosts *all);

/* Adds one that is not there, for which there is room: its row is zeroed but
 * for the hash. */
uint32_t hosts_add(hosts *all, uint64_t hash);

void hosts_remove(hosts *all, uint32_t number);

/* The bytes of both tables. */
uint64_t hosts_bytes(const hosts *all);

#endif
