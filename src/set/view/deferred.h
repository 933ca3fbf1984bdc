/*
 * deferred.h - hashes that a mapped table is to have, and does not have yet.
 *
 * A journal may have a hundred thousand hashes, and to add each to the tables
 * at once would copy and check a hundred thousand blocks before the first
 * answer. Instead they are listed by the blocks that they touch, and a block
 * gets its hashes when it is first read (checks.c):
 *
 *     heads   | 0 | 5 | 0 | 2 | ...     a chain for each few blocks
 *     next    | 0 | 0 | 1 | 0 | 3 | ... entry: a hash at one of its places
 *     hashes  |   a   |   b   |   c     some entries each
 *
 * A hash has an entry for each place where it touches a block, and one in the
 * chain that its own value and a seed lead to, where its copies are found:
 * without the seed, whoever chooses keys could give all of them one chain. An
 * entry does not say what it is of: a hash that is added sooner than it must be
 * does no harm. Each is added once, to all of its blocks, so counters are right
 * too.
 *
 * Here is the list. What is done with it, and when, is in checks.c.
 */
#ifndef SS_SET_VIEW_DEFERRED_H
#define SS_SET_VIEW_DEFERRED_H

#include "base/memory.h"
#include "hash/seeded.h"
#include "table/table.h"

enum {
    /* In all; hashes that would have more are added at once. They take up to
     * 16 MiB. */
    SS_DEFERRED_MOST_ENTRIES = 1 << 20,
    /* A counter may begin in one block and end in the next. */
    SS_DEFERRED_MOST_BLOCKS = 2 * SEENSET_MAX_HASH_COUNT
};

typedef struct ss_deferred {
    ss_memory memory;
    uint32_t places;  /* of each hash: the blocks that it may touch */
    uint32_t entries; /* likewise */
    uint32_t count;
    uint32_t room_count;
    uint32_t left; /* hashes that the table does not have yet */
    uint64_t *hashes;
    uint64_t *added; /* a bit a hash: the table has it */
    uint32_t *next;  /* the entry after this one, and 1; 0: none */
    uint32_t *heads; /* likewise, the first of a chain */
    uint32_t head_mask;
    uint64_t seed;        /* of the chains by value: hash/seeded.h */
    uint64_t block_count; /* of the table */
    uint64_t *tried; /* a bit a block: held against its sum, before a hash was
                        added to it, */
    uint64_t *bad;   /* and found damaged */
    uint64_t known_items; /* hashes that were not new after all */
    uint32_t lock;        /* of who works on it: base/lock.h */
} ss_deferred;

/* How many blocks a hash of this table may touch, each counted once for each
 * reason. */
uint32_t ss_deferred_places(const ss_table *table);

/* The blocks that a hash touches, some perhaps twice: ss_deferred_places() of
 * them. */
void ss_deferred_list_blocks(const ss_table *table, uint64_t hash,
                             uint64_t blocks[SS_DEFERRED_MOST_BLOCKS]);

/* An empty list for a table of so many blocks. NULL: no memory. */
ss_deferred *ss_deferred_new(const ss_memory *memory, const ss_table *table,
                             uint64_t block_count);
void ss_deferred_free(ss_deferred *late);
uint64_t ss_deferred_memory_bytes(const ss_deferred *late);

/* Is a hash in the list? */
bool ss_deferred_has(const ss_deferred *late, uint64_t hash);

/* Appends a hash, as number late->count - 1 then. False: no room, no memory. */
bool ss_deferred_put(ss_deferred *late, const ss_table *table,
                     const uint64_t *blocks, uint64_t hash);

/* The entries of the chain that has a block's: 0 ends them. */
static inline uint32_t ss_deferred_first(const ss_deferred *late,
                                         uint64_t block)
{
    return late->heads[block & late->head_mask];
}

static inline uint32_t ss_deferred_next(const ss_deferred *late, uint32_t entry)
{
    return late->next[entry - 1];
}

/* The same of the chain that a hash's own value leads to. */
static inline uint32_t ss_deferred_first_of(const ss_deferred *late,
                                            uint64_t hash)
{
    return ss_deferred_first(late, ss_seeded_mix(hash, late->seed));
}

/* Which hash an entry is of. */
static inline uint32_t ss_deferred_number(const ss_deferred *late,
                                          uint32_t entry)
{
    return (entry - 1) / late->entries;
}

#endif
