/*
 * forgotten.h - the URLs that are to be taken for new though the set has them.
 *
 * Nothing can be removed from most filters. So a URL that is forgotten is
 * remembered here, by a hash of 64 bits, until it is pushed again. Another URL
 * with the same hash is taken for new, too, which loses nothing.
 *
 * A group of the log that cannot be written is rolled back. What the group has
 * changed here is then undone, in the opposite order.
 */
#ifndef SS_SEEN_FORGOTTEN_H
#define SS_SEEN_FORGOTTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct ss_forgotten_change {
    uint64_t hash;
    bool is_added;
} ss_forgotten_change;

typedef struct ss_forgotten {
    uint64_t *slots; /* open addressing, at most half full; 0 is empty */
    size_t room, count;
    bool keeps_changes;           /* groups can be rolled back */
    ss_forgotten_change *changes; /* of the group, in their order */
    size_t change_count, change_room;
} ss_forgotten;

void ss_forgotten_free(ss_forgotten *forgotten, const ss_memory *memory);

bool ss_forgotten_has(const ss_forgotten *forgotten, uint64_t hash);

/* Makes room for so many changes, so that they cannot fail. */
bool ss_forgotten_reserve(ss_forgotten *forgotten, const ss_memory *memory,
                          size_t more);

/* For these there is room. They return whether anything changed. */
bool ss_forgotten_add(ss_forgotten *forgotten, uint64_t hash);
bool ss_forgotten_remove(ss_forgotten *forgotten, uint64_t hash);

/* A new group begins; or the group is rolled back. */
void ss_forgotten_start_group(ss_forgotten *forgotten);
void ss_forgotten_roll_back(ss_forgotten *forgotten);

/* Copies all hashes, `count` of them. */
void ss_forgotten_list(const ss_forgotten *forgotten, uint64_t *hashes);

uint64_t ss_forgotten_memory_bytes(const ss_forgotten *forgotten);

#endif
