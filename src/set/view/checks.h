/*
 * checks.h - a view that trusts nothing it has not checked.
 *
 * Opening a view costs the same for any size of file, so its payloads cannot
 * be read then. Instead each block of 4096 bytes is held against its sum when
 * it is first touched, and one bit remembers that: a damaged set never calls
 * a key unseen because its bits are gone. When every block was checked, the set
 * is asked as if there had been nothing to check.
 *
 * A table that grows in place is checked by its segments, whose pages are
 * blocks: all blocks of one, and its counts, before the first lookup in it. So
 * even a forged file cannot lead a lookup out of bounds.
 *
 * A journal's hashes come into a block when it is first touched, too
 * (deferred.h): after it was checked, and before it is read. Those for a table
 * that grows in place stay beside it (overlay.h), and are asked for as well.
 *
 * Any number of threads may ask at once. Two that touch a block for the first
 * time may both check it. A block that is bad is found bad each time.
 */
#ifndef SS_SET_VIEW_CHECKS_H
#define SS_SET_VIEW_CHECKS_H

#include "set/set.h"

/*
 * Makes a view a checked one. Its tables are in place, each with its
 * first_block; sums has SS_SUM_BYTES for each of block_count blocks and is
 * borrowed as the tables' words are. NULL: all blocks are taken as sound, and
 * only late hashes come into them. 0 or SEENSET_ENOMEM. Memory: a bit a block.
 */
int ss_checks_start(seenset *set, const uint8_t *sums, uint64_t block_count);
void ss_checks_end(seenset *set);

/* Checks what each table that grows in place has besides its pages. Returns the
 * first that is bad, or the number of generations. Before any lookup. */
uint32_t ss_checks_images(const seenset *set);

/* Is there a sum for each block? */
bool ss_checks_has_sums(const seenset *set);

/*
 * Adds a hash to the newest table of a mapped set, whose words may be written:
 * to each block when it is first touched. The table's added_items counts it at
 * once. In a table without counters a hash counts once, however often it comes.
 * Returns false if the caller has to add it in another way: the set is not
 * mapped, or its list is full, or memory ends. No other thread may use the set
 * meanwhile.
 */
bool ss_checks_add_late(seenset *set, uint64_t hash);

/* Adds all late hashes of a table with counters, so that added_items is how
 * many of them were new. Before that is read. Any set may be given. */
void ss_checks_settle(const seenset *set);

/*
 * Keeps hashes beside the newest table of a checked view, which grows in place:
 * before the last `later` ones that are there. added_items counts those that
 * were not. 0; or, and nothing changed, SEENSET_ENOMEM. No other thread may use
 * the set meanwhile.
 */
int ss_checks_put_beside(seenset *set, const uint8_t *hashes, uint64_t count,
                         uint64_t later);

/* Is a hash there, in a table whose keys still count? Any set may be given. */
bool ss_checks_is_beside(const seenset *set, uint64_t hash);

/* The same of many: is_seen becomes 1 for those that are. */
void ss_checks_mark_beside(const seenset *set, const uint64_t *hashes,
                           size_t count, uint8_t *is_seen);

/* How many different ones there are. Any set may be given. */
uint64_t ss_checks_beside_count(const seenset *set);

/* Adds them to a copy of the newest table and its counts, in their order. 0 or
 * SEENSET_ENOMEM. Any set may be given. */
int ss_checks_give_beside(const seenset *set, ss_generation *copy);

/* Of the set besides its tables. */
uint64_t ss_checks_memory_bytes(const seenset *set);

/* Checks every block that was not: before a call that reads all of a set.
 * SEENSET_ECORRUPT if one is bad. Any set may be given. */
int ss_checks_all(const seenset *set);

/* The same, and that all words are those of tables: a forged file may have the
 * right sums. Before a copy that keys can be added to. */
int ss_checks_tables(const seenset *set);

/* Checks those of `count` bits of a generation's words, from `first` on. */
int ss_checks_bits(const seenset *set, const ss_generation *generation,
                   uint64_t first, uint64_t count);

/* Checks what a key's lookup reads in all tables. */
int ss_checks_key(const seenset *set, const void *key, size_t key_len);

/* The same for a hash; and for it in the newest table alone. */
int ss_checks_hash(const seenset *set, uint64_t hash);
int ss_checks_newest(const seenset *set, uint64_t hash);

/* As seenset_has and seenset_has_hash, of a checked view. What an undamaged
 * table has is seen, whatever another is like. */
int ss_checks_has(const seenset *set, const void *key, size_t key_len);
int ss_checks_has_hash(const seenset *set, uint64_t hash);

/* As seenset_has_many, for checked arguments. */
int ss_checks_has_many(const seenset *set, const ss_batch *batch,
                       uint8_t *is_seen);

#endif
