/*
 * seenset/seenset.h - have I seen this before?
 *
 *     seenset *seen;
 *     if (seenset_new(&seen, NULL) != 0)          // a million keys at 1 %
 *         ...
 *     if (seenset_add(seen, url, strlen(url)) == 1)
 *         fetch(url);                             // never seen until now
 *     seenset_free(seen);
 *
 * A set remembers keys, any bytes at all, in a fixed and small amount of
 * memory. It never forgets one: a key that was added is always answered "seen".
 * The price is a false-positive rate that you choose: a key that was never
 * added is answered "seen" with probability at most fp_rate, as long as no more
 * than capacity_items distinct keys were added. For a set of one table, fp_rate
 * is the mean over all such sets. Which bits are set is a matter of chance, so
 * one set of a million keys may be 1 % above the mean, and one of ten keys
 * 50 %. A set that grows (SEENSET_ON_FULL_GROW) keeps fp_rate itself, at every
 * size, in 199 of 200 cases. seenset_get_stats returns the true rate of any
 * set.
 *
 * This header includes the others of the set:
 *
 *     base.h     the version, keys, memory     error.h    every error
 *     hash.h     hashes, secrets, schemes      options.h  what a set is to be
 *     plan.h     layouts, sizes and rates      info.h     what a set is
 *     algebra.h  two sets together             file.h     saving and opening
 *
 * It does not include the headers in seenset/extra/. They are installed without
 * a promise and may change with any release.
 *
 *     inline.h   adds and lookups without a call    bits.h   a field of bits
 *     formulas.h the planner's formulas             raw.h    bits of a table
 *
 * NULL. A call that is given NULL for a set, or for any other pointer that it
 * needs, returns SEENSET_EINVAL. The comment of a call names what may be NULL.
 * seenset_free does nothing with NULL.
 *
 * Threads. A call does one of four things to a set that it is given:
 *
 *     asks      all that take a const seenset *: has, has_many, has_hash,
 *               has_hash_many, has_u64_many, count, count_hash, get_bits,
 *               get_counters, count_cells, get_info, get_table_info,
 *               get_estimate, get_stats, get_uniformity, to_bits, copy, save,
 *               write, write_bytes, write_part, is_superset,
 *               get_overlap, get_view; merge and intersect: `from`
 *     adds      add, add_many, add_hash, add_hash_many, add_u64_many
 *     changes   add_parallel, add_hash_parallel, remove, remove_hash, clear,
 *               expect, set_time, append; merge and intersect: `into`
 *     ends      free
 *
 * Two calls on one set, in two threads, may run at once if the table allows it:
 *
 *                    asks      adds      changes   ends
 *         asks       always    shared    never     never
 *         adds       shared    shared    never     never
 *         changes    never     never     never     never
 *         ends       never     never     never     never
 *
 *     always: any set, a view too
 *     shared: a set with SEENSET_FLAG_SHARED
 *     never:  the caller must prevent it, with a lock for example
 *
 * A call that asks a shared set sees every key whose add had returned before
 * the call began, and perhaps some keys that are added during it. The same
 * holds for saved files and for copies, and both are sound. A call on two sets
 * must be allowed on each; both may be one set. All other calls, which take no
 * set or make one (new, from_bits, open, read, build_sealed, verify and their
 * like, everything in plan.h, hash.h and error.h), may run at any time. Arrays
 * and outputs that a caller lends to a call belong to it until it returns.
 * Calls that may run at once may also call the set's allocator and its
 * index_function at once.
 *
 * Errors are negative numbers (seenset/error.h). The library never prints,
 * never exits, and keeps no state outside its handles. On error the outputs are
 * unchanged unless a comment states otherwise.
 */
#ifndef SEENSET_SEENSET_H
#define SEENSET_SEENSET_H

#include <stddef.h>
#include <stdint.h>

#include "seenset/algebra.h"
#include "seenset/base.h"
#include "seenset/error.h"
#include "seenset/file.h"
#include "seenset/hash.h"
#include "seenset/info.h"
#include "seenset/options.h"
#include "seenset/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- making a set ---- */

/*
 * Makes an empty set; options NULL means a million keys at 1 %.
 * Returns 0 and the set in *out, to be freed with seenset_free; SEENSET_EINVAL
 * (out is NULL, a number outside its range, options that do not go together, a
 * reserved field that is not 0), SEENSET_ERATE or SEENSET_ETOOBIG as
 * seenset_plan_solve does, SEENSET_ERATE also if capacity_items and size_bits
 * are given, fp_rate is not, and the rate that follows is over
 * SEENSET_MOST_RATE (SEENSET_FLAG_ANY_RATE allows it), SEENSET_EUNSUPPORTED
 * (the layout, the scheme or SEENSET_FLAG_SHARED cannot do what on_full asks),
 * or SEENSET_ENOMEM. Cost: one allocation of seenset_info.memory_bytes, zeroed.
 * Threads: any time.
 */
SEENSET_API int seenset_new(seenset **out, const seenset_options *options);

/*
 * Makes a set of its own with the same keys, from the same allocator. The copy
 * of a view can be changed, and the copy of a shared set is shared as well.
 * Returns 0 and the set in *out, SEENSET_EINVAL (out or set is NULL),
 * SEENSET_ENOMEM or SEENSET_ECORRUPT (a view of a damaged or forged file).
 * Cost: reads the set once, and as much memory. Threads: asks.
 */
SEENSET_API int seenset_copy(seenset **out, const seenset *set);

/*
 * Forgets every key; a set that has grown keeps its first table.
 * Returns 0, SEENSET_EINVAL (set is NULL), SEENSET_EREADONLY (a view),
 * SEENSET_EUNSUPPORTED (a sealed set) or SEENSET_ENOMEM (of a set whose first
 * table grows in place; nothing changed). Cost: writes one table.
 * Threads: changes.
 */
SEENSET_API int seenset_clear(seenset *set);

/*
 * Gives a set that grows the number of different keys expected in all, for
 * example from the size of an input file, or once a count is known. When the
 * table that keys go to is full, the rest of the expected keys get one table of
 * fixed size, with half a bit to one bit a key more than in a set made for
 * them. Calls then ask both tables, which takes longer than in such a set, and
 * less than where a table grows in place. Further keys go to the expandable
 * table. Too small a number is harmless; too large a number wastes memory. If
 * you can, make the set for that number instead (capacity_items). The call can
 * be repeated until the set grows in place. The number is not saved with the
 * set; 0: not known. The rate is kept in any case.
 *
 * If that table cannot be allocated, the set grows in place without it.
 * Returns 0, SEENSET_EINVAL (set is NULL, or items is over
 * SEENSET_MAX_SIZE_BITS), SEENSET_EUNSUPPORTED (the set does not grow) or
 * SEENSET_EREADONLY (a view). Cost: none; the memory is taken when it is
 * needed, for n keys at 1 % some 12.4 n bits, at 1e-6 32.2 n.
 * Threads: changes.
 */
SEENSET_API int seenset_expect(seenset *set, uint64_t items);

/*
 * Gives a window by age the time that it goes by, instead of the system's
 * clock, so that old records can be replayed: before each add the time of the
 * record, in seconds since 1970. It holds for all calls on the set until the
 * next such call; 0: the clock of the system again. A time before the last one
 * is taken as a clock that was put back (SEENSET_ON_FULL_ROTATE), so a replay
 * that never goes back passes the largest time so far. A set that has no keys
 * begins at this time. Copies keep it, and files do not.
 *
 * Returns 0, SEENSET_EINVAL (set is NULL), SEENSET_EUNSUPPORTED (not a window
 * by age); and, for a set without keys that was opened with
 * SEENSET_OPEN_APPEND, SEENSET_ENOMEM or what the first read of its file may
 * return (SEENSET_ECORRUPT): nothing changed. A view takes a time, too: it is
 * then asked as of it. Cost: none; for such an empty file, reads it.
 * Threads: changes.
 */
SEENSET_API int seenset_set_time(seenset *set, uint64_t seconds);

/*
 * Frees a set and unmaps its file. With NULL it does nothing. Threads: ends.
 */
SEENSET_API void seenset_free(seenset *set);

/* ---- keys ---- */

/* The answer for one key, in the answers of add_many and of a queue's push.
 * Only SEENSET_ANSWER_NEW is 1: compare with it, as REFUSED is not 0 either. */
typedef enum seenset_answer {
    SEENSET_ANSWER_SEEN = 0,       /* it was in the set, or a false positive */
    SEENSET_ANSWER_NEW = 1,        /* it was added */
    SEENSET_ANSWER_REFUSED = 2,    /* it was not added; the call says why */
    SEENSET_ANSWER_NOT_A_URL = 3,  /* queues only: it is not a URL */
    SEENSET_ANSWER_OVER_BUDGET = 4 /* polite queues only: its host has all the
                                      URLs that its budget allows */
} seenset_answer;

/*
 * Adds the key_len bytes at key. The empty key is a key like any other; key may
 * be NULL when key_len is 0. A set of counters or fingerprints also counts
 * repeated adds of a key.
 *
 * Returns 1 (new: it was not in the set) or 0 (seen: it was, or it is a false
 * positive and the set is unchanged); SEENSET_EFULL (new, at capacity, and the
 * set refuses), SEENSET_EREADONLY (a view), SEENSET_EUNSUPPORTED (a sealed set)
 * or SEENSET_EINVAL (set is NULL, or key is and key_len is not 0). A set that
 * grows and a window may also return SEENSET_ENOMEM, SEENSET_ERATE or
 * SEENSET_ETOOBIG (no further table can be allocated, or could keep the
 * promise; a window by age has 256 at most). Then the key was not added or, if
 * it was seen, not renewed; nothing else is lost.
 * Cost: one hash of the key and 1 to 3 cache misses (blocked), k (bloom) for
 * each table of the set, 2 for one that grows in place. Threads: adds.
 */
SEENSET_API int seenset_add(seenset *set, const void *key, size_t key_len);

/*
 * Asks whether a key is in the set. key may be NULL when key_len is 0.
 *
 * Returns 1 (seen, or with probability fp_rate a false positive) or 0 (never
 * added); SEENSET_EINVAL (set is NULL, or key is and key_len is not 0); or, of
 * a checked view, SEENSET_ECORRUPT (the undamaged blocks do not have the key,
 * and a block that may have it is damaged). 0 is returned only for a key that
 * was never added, and an error is not 0, so `if (seenset_has(...))` errs on
 * the side of "seen".
 * Cost: as seenset_add, or less; in a checked view some 0.5 microseconds more
 * for each block of 4096 bytes that is touched for the first time.
 * Threads: asks.
 */
SEENSET_API int seenset_has(const seenset *set, const void *key,
                            size_t key_len);

/*
 * Adds key_count keys in order, several times faster on large sets than one by
 * one. Stores a seenset_answer for each into answers, which may be NULL. Equal
 * keys in one batch: the first is new, the rest are seen.
 *
 * Returns 0; SEENSET_EINVAL (set is NULL; keys is NULL and key_count is not 0;
 * or a key's data is NULL and its len is not 0), SEENSET_EREADONLY or
 * SEENSET_EUNSUPPORTED (a sealed set): nothing was added; or SEENSET_EFULL,
 * SEENSET_ENOMEM, SEENSET_ERATE or SEENSET_ETOOBIG as seenset_add: some keys
 * were refused, and answers is filled in.
 * Cost: as seenset_add for each key, but cache misses overlap. Threads: adds.
 */
SEENSET_API int seenset_add_many(seenset *set, const seenset_key *keys,
                                 size_t key_count, uint8_t *answers);

/*
 * Asks for key_count keys in order, several times faster on large sets than one
 * by one. Stores 1 (seen) or 0 (never added) for each into is_seen.
 *
 * Returns 0; SEENSET_EINVAL (set is NULL; an array is NULL and key_count is not
 * 0; or a key's data is NULL and its len is not 0; is_seen then has no
 * meaning); or, of a checked view, SEENSET_ECORRUPT (is_seen is filled in, with
 * 1 for each key that touches a damaged block).
 * Cost: as seenset_has for each key, but cache misses overlap. Threads: asks.
 */
SEENSET_API int seenset_has_many(const seenset *set, const seenset_key *keys,
                                 size_t key_count, uint8_t *is_seen);

/*
 * As seenset_add_many, for an array of key_count integers. The key of an
 * integer is its 8 bytes, the least significant first, on every machine. So on
 * a little-endian machine seenset_add(set, &keys[i], 8) adds the same key.
 * Returns as seenset_add_many; SEENSET_EINVAL: set is NULL, or keys is and
 * key_count is not 0. Cost: less than seenset_add_many, because only the
 * integers are read and several are hashed at a time; about half on a table
 * that fits a cache. Threads: adds.
 */
SEENSET_API int seenset_add_u64_many(seenset *set, const uint64_t *keys,
                                     size_t key_count, uint8_t *answers);

/*
 * As seenset_has_many, for integers as seenset_add_u64_many takes them.
 * Returns as seenset_has_many; SEENSET_EINVAL: set is NULL, or an array is and
 * key_count is not 0. Cost: as seenset_add_u64_many. Threads: asks.
 */
SEENSET_API int seenset_has_u64_many(const seenset *set, const uint64_t *keys,
                                     size_t key_count, uint8_t *is_seen);

/*
 * As seenset_add, for a 64-bit hash that the caller computed. It must be a good
 * hash, with every bit uniform: 64-bit XXH3 or a SipHash, not a counter and not
 * std::hash of an integer. The hashes of a set must not have bits in common
 * either, as they do if their upper bits choose the shard: use seenset_shard
 * instead. seenset_stats.is_skewed is true if the bits of the set show this.
 * Keys and hashes can be mixed in one set: a key is its seenset_hash.
 * Returns as seenset_add, and SEENSET_EUNSUPPORTED (a set with a secret, a seed
 * or a scheme, which needs the key itself). Threads: adds.
 */
SEENSET_API int seenset_add_hash(seenset *set, uint64_t hash);

/*
 * As seenset_has, for a hash as seenset_add_hash takes it.
 * Returns as seenset_has, and SEENSET_EUNSUPPORTED (a set with a secret, a seed
 * or a scheme, which cannot know; it does not return 0, "never added").
 * Threads: asks.
 */
SEENSET_API int seenset_has_hash(const seenset *set, uint64_t hash);

/*
 * As seenset_add_many, for hash_count hashes as seenset_add_hash takes them.
 * Returns as seenset_add_many, and SEENSET_EUNSUPPORTED (a set with a secret, a
 * seed or a scheme: nothing was added). Threads: adds.
 */
SEENSET_API int seenset_add_hash_many(seenset *set, const uint64_t *hashes,
                                      size_t hash_count, uint8_t *answers);

/*
 * As seenset_has_many, for hash_count hashes as seenset_add_hash takes them.
 * Returns as seenset_has_many, and SEENSET_EUNSUPPORTED (a set with a secret, a
 * seed or a scheme: is_seen is unchanged). Threads: asks.
 */
SEENSET_API int seenset_has_hash_many(const seenset *set,
                                      const uint64_t *hashes, size_t hash_count,
                                      uint8_t *is_seen);

/*
 * Adds key_count keys on several threads, without saying which were new. Each
 * thread has its own parts of the table, so none waits for another. It is worth
 * it from a few hundred thousand keys on. With fewer keys, on one thread, or if
 * the keys do not all go to one table, it works as seenset_add_many.
 * thread_count: 0 means one; more than 64 means 64. If a thread cannot be
 * started, the others do its work.
 *
 * added_items is exact for sets of one block a key, else it is estimated from
 * the bits. A set that refuses is filled by seenset_add_many.
 *
 * Returns as seenset_add_many; after SEENSET_ENOMEM nothing was added or, if
 * the set grows, some keys were, as by seenset_add_many.
 * Cost: as seenset_add_many, divided by the threads. During the call, several
 * threads take an eighth of the table's memory in addition (at least 2 MiB, at
 * most 256 MiB), and some 0.5 MiB each. Threads: changes.
 */
SEENSET_API int seenset_add_parallel(seenset *set, const seenset_key *keys,
                                     size_t key_count, unsigned thread_count);

/*
 * As seenset_add_parallel, for hash_count hashes as seenset_add_hash takes
 * them. Returns as seenset_add_parallel, and SEENSET_EUNSUPPORTED (a set with a
 * secret, a seed or a scheme). Threads: changes.
 */
SEENSET_API int seenset_add_hash_parallel(seenset *set, const uint64_t *hashes,
                                          size_t hash_count,
                                          unsigned thread_count);

/*
 * Removes one copy of a key from a set of SEENSET_LAYOUT_COUNTING or
 * _FINGERPRINT. Only remove keys that were added: removing a false positive
 * takes counts of other keys with it, and they are forgotten. A key whose
 * counters are full stays, and so does one whose fingerprint was added
 * SEENSET_MAX_COPIES times or was cut; the call returns 1 for these too.
 * Returns 1 (removed), 0 (it was not in the set), SEENSET_EUNSUPPORTED
 * (another layout), SEENSET_EREADONLY (a view) or SEENSET_EINVAL (set is NULL,
 * or key is and key_len is not 0). Cost: twice that of seenset_add.
 * Threads: changes.
 */
SEENSET_API int seenset_remove(seenset *set, const void *key, size_t key_len);

/*
 * Stores in *count how many copies of a key a set of SEENSET_LAYOUT_COUNTING
 * holds: the least of its counters, which is never less than the truth until
 * one of them is full (at 2^counter_bits - 1). In SEENSET_LAYOUT_FINGERPRINT it
 * is the number of slots with its fingerprint, up to SEENSET_MAX_COPIES.
 * Returns 0, SEENSET_EUNSUPPORTED (another layout), SEENSET_EINVAL (set or
 * count is NULL, or key is and key_len is not 0) or, of a checked view,
 * SEENSET_ECORRUPT. Cost: that of seenset_has. Threads: asks.
 */
SEENSET_API int seenset_count(const seenset *set, const void *key,
                              size_t key_len, uint64_t *count);

/*
 * As seenset_remove, for a hash as seenset_add_hash takes it.
 * Returns as seenset_remove, and SEENSET_EUNSUPPORTED (a set with a secret, a
 * seed or a scheme). Cost: as seenset_remove. Threads: changes.
 */
SEENSET_API int seenset_remove_hash(seenset *set, uint64_t hash);

/*
 * As seenset_count, for a hash as seenset_add_hash takes it.
 * Returns as seenset_count, and SEENSET_EUNSUPPORTED (a set with a secret, a
 * seed or a scheme). Cost: as seenset_count. Threads: asks.
 */
SEENSET_API int seenset_count_hash(const seenset *set, uint64_t hash,
                                   uint64_t *count);

/* ---- the bits alone ---- */

/*
 * Makes a set from the bits of its table, such as the filter of another system:
 * bit i is bit i mod 8 of byte i / 8 of the size_bytes bytes at bytes, least
 * significant first. In a counting set, counter i is counter_bits bits from bit
 * i counter_bits on; in split blocks, word i of a block is bits 32 i to
 * 32 i + 31 of it, as in Parquet.
 *
 * options are those of seenset_new. hash_count is required, and so is
 * everything that decides where the bits of a key are (scheme and
 * scheme_arguments, layout, secret): the bits do not show it, and with other
 * options the set answers "never added" for its keys. A size_bits of 0 is that
 * of all the bytes. How many keys were added is estimated from the bits, as
 * seenset_plan_item_estimate does.
 *
 * Returns as seenset_new; SEENSET_EINVAL also for options or bytes NULL,
 * hash_count 0, a size_bits that the layout would round or that is not that of
 * size_bytes bytes, and bits that are set past it in the last byte.
 * Cost: as seenset_new, and reads the bytes. Threads: any time.
 */
SEENSET_API int seenset_from_bits(seenset **out, const seenset_options *options,
                                  const void *bytes, size_t size_bytes);

/*
 * Writes the bits of a set of one table to memory, as seenset_from_bits takes
 * them. On entry *size_bytes is the room at bytes, on return the bytes needed:
 * ceil(size_bits / 8), times counter_bits of a counting set. bytes may be NULL.
 *
 * Returns 0; SEENSET_ESPACE (the room is too small, or bytes is NULL: nothing
 * was written); SEENSET_EUNSUPPORTED (a set of several tables, or sealed);
 * SEENSET_EINVAL (set or size_bytes is NULL) or SEENSET_ECORRUPT (a checked
 * view of a damaged file). Cost: reads the set once. Threads: asks.
 */
SEENSET_API int seenset_to_bits(const seenset *set, void *bytes,
                                size_t *size_bytes);

/* ---- sealed sets ---- */

/*
 * Receives how far a long call has come: `done` of `total` steps of attempt
 * number `attempt`, from 0; another attempt starts over. context is the one
 * given to the call.
 */
typedef void seenset_progress_function(void *context, uint64_t done,
                                       uint64_t total, unsigned attempt);

/*
 * Makes a set of key_count keys at once, to which nothing can be added: the
 * smallest kind, 1.08 to 1.13 times log2(1/p) bits a key. Equal keys are one.
 *
 * options (NULL: all defaults): fp_rate (default 0.01; the rate becomes 2^-w,
 * the first of 2^-4, 2^-5, ..., 2^-32 that is at most fp_rate; the chance of
 * equal hashes, key_count / 2^64, may add a millionth of fp_rate to it),
 * hash_count (4: smallest, the default; or 3: faster), secret, a seed in
 * scheme_arguments, allocator, and nothing else. progress may be NULL; it is
 * called with progress_context. There may be over 2^32 keys.
 *
 * Returns 0 and the set in *out, to be freed with seenset_free; SEENSET_EINVAL
 * (out is NULL; keys is NULL and key_count is not 0; a key's data is NULL and
 * its len is not 0; or the options), SEENSET_ENOMEM, SEENSET_ETOOBIG, or
 * SEENSET_ERATE (fp_rate under 2^-32).
 * Cost: a few passes over all hashes; 8 bytes a key for them, then as much
 * memory as the set and a quarter of a byte a key. Threads: any time.
 */
SEENSET_API int seenset_build_sealed(seenset **out,
                                     const seenset_options *options,
                                     const seenset_key *keys, size_t key_count,
                                     seenset_progress_function *progress,
                                     void *progress_context);

/*
 * As seenset_build_sealed, for hash_count hashes as seenset_add_hash takes
 * them. It works in the array itself, which is overwritten, on error too, so it
 * needs no memory for hashes.
 * Returns as seenset_build_sealed; SEENSET_EUNSUPPORTED (a secret or a seed),
 * and SEENSET_ERATE also for hashes that were chosen to defeat the
 * construction. Threads: any time.
 */
SEENSET_API int seenset_build_sealed_hashes(seenset **out,
                                            const seenset_options *options,
                                            uint64_t *hashes, size_t hash_count,
                                            seenset_progress_function *progress,
                                            void *progress_context);

#ifdef __cplusplus
}
#endif
#endif
