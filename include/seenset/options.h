/*
 * seenset/options.h - what a set is to be: its size, its rate, its policy.
 *
 * seenset/seenset.h includes this header.
 */
#ifndef SEENSET_OPTIONS_H
#define SEENSET_OPTIONS_H

#include "seenset/base.h"
#include "seenset/hash.h"
#include "seenset/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a set does with a new key once it holds capacity_items of them. */
typedef enum seenset_on_full {
    SEENSET_ON_FULL_DEFAULT = 0,
    /* Adds it: the rate rises, and seenset_get_stats returns the true rate. */
    SEENSET_ON_FULL_DEGRADE = 1,
    /* Returns SEENSET_EFULL and adds nothing: the rate is kept. */
    SEENSET_ON_FULL_REFUSE = 2,
    /*
     * When capacity_items keys are in the table that was planned for them, one
     * table that grows in place (SEENSET_LAYOUT_EXPANDABLE) takes all further
     * keys, so that capacity_items need not be known. A lookup asks two tables,
     * however large the set is. 199 of 200 sets keep fp_rate at every size,
     * whatever the first capacity was. Adding returns SEENSET_ERATE where
     * 64-bit hashes cannot keep it: with some fp_rate 2^62 keys, 4.6e9 at 1e-9.
     */
    SEENSET_ON_FULL_GROW = 3,
    /*
     * A window: forgets the oldest keys, by their number or by their age.
     *
     * By number: the last capacity_items new keys are remembered, in
     * window_generations tables of constant memory.
     *
     * By age (window_seconds = W): a new key is remembered for at least W
     * seconds and at most W K / (K - 1), K = window_generations, rounded up to
     * seconds. capacity_items is the number of keys expected in that time. The
     * rate is kept if there are more, because each part of that time gets a
     * second table, as a growing set does; so memory follows the keys.
     * If a table cannot be added, the add returns an error, and nothing is
     * forgotten because of it.
     *
     * In both, adding a key again does not renew it: its time counts from when
     * it was new. SEENSET_FLAG_SLIDING changes that.
     *
     * Time is that of the system's clock, or what seenset_set_time gives, and
     * is kept in files. If the clock is put forward, keys become that much
     * older. If it is put back, no key is forgotten early, neither then nor
     * when it is corrected; keys added before may be remembered for up to three
     * times as long, counted from the next add. If the clock was ahead and is
     * corrected, keys added in between expire within three windows of the next
     * add. A clock that is put back in that time, and then corrected, may
     * forget keys early.
     *
     * Not with SEENSET_FLAG_SHARED, where a way for threads is described.
     */
    SEENSET_ON_FULL_ROTATE = 4
} seenset_on_full;

/*
 * The name of a policy: "degrade", "refuse", "grow" or "rotate"; "unknown" for
 * other numbers. Never NULL; the text is static. Threads: any time.
 */
SEENSET_API const char *seenset_on_full_name(seenset_on_full on_full);

/*
 * For seenset_options.flags and for opening a copy: threads may add and ask at
 * once (seenset/seenset.h has the table). No key is lost, and a call misses
 * none that was added before it began. Two threads that add one new key at the
 * same moment may both be answered "new", and a set that refuses may pass its
 * capacity by 512 keys a thread. Costs an atomic operation for each bit that is
 * not set yet.
 *
 * Not with SEENSET_ON_FULL_GROW or SEENSET_ON_FULL_ROTATE
 * (SEENSET_EUNSUPPORTED): such sets make tables and drop them while keys are
 * added, which needs a lock. To share a window or a growing set among threads,
 * make sixteen sets with a lock each, and use set number
 * seenset_shard(seenset_hash(key, key_len), 16) for a key, as
 * examples/shared_window.c does.
 */
#define SEENSET_FLAG_SHARED (UINT32_C(1) << 1)

/*
 * For seenset_options.flags, with SEENSET_ON_FULL_ROTATE only: a sliding
 * window. A key that is added again is added to the newest table too, so it
 * stays for as long as it comes back: by age, for window_seconds after it was
 * last added; by number, while it is among the last capacity_items keys added,
 * repeats included. Adding it still returns 0, seen. A renewed key is in
 * several tables and counts in each, so added_items is the sum over all tables,
 * not a number of different keys. Files keep the flag.
 */
#define SEENSET_FLAG_SLIDING (UINT32_C(1) << 3)

/*
 * For seenset_options.flags: the allocator returns memory that is zeroed, like
 * that of calloc, so the set does not zero it again. Memory that the operating
 * system gives a page at a time is then taken as keys are added, and a set of
 * any size is made in microseconds. If the memory is not zero, the set answers
 * "seen" for keys that were never added. Without an allocator the flag changes
 * nothing. Copies of the set keep it, and files do not.
 */
#define SEENSET_FLAG_ZEROED (UINT32_C(1) << 4)

/*
 * For seenset_options.flags: take capacity_items and size_bits as they are,
 * even if the rate that follows from them is over SEENSET_MOST_RATE. Without it
 * seenset_new and seenset_queue_open return SEENSET_ERATE for such a set,
 * unless an fp_rate is given: it would answer "seen" for most keys long before
 * it has capacity_items of them. Not kept in files.
 */
#define SEENSET_FLAG_ANY_RATE (UINT32_C(1) << 5)
#define SEENSET_MOST_RATE 0.1

/*
 * Called once, when the set reaches capacity_items keys: from then on its rate
 * rises (SEENSET_ON_FULL_DEGRADE) or it refuses new keys
 * (SEENSET_ON_FULL_REFUSE). Sets that grow and windows keep their promise past
 * that number, and never call it.
 *
 * It is called in the thread of the call that adds the key, by seenset_merge
 * too, and after all keys of a batch. In a shared set one of the threads calls
 * it. context is the at_capacity_context of the options. The function may ask
 * the set, but not add to it, change it or free it. If a set has that many keys
 * when it is opened, the first call that adds a key calls it at its end.
 * Neither files nor seenset_copy keep it.
 */
typedef void seenset_capacity_function(void *context, const seenset *set);

/*
 * How to make a set. Zero is the default everywhere, so start from {0} and name
 * what you care about. capacity_items, fp_rate, size_bits and hash_count are
 * the n, p, m and k of seenset_plan_solve, which finds those left 0; if all
 * four are 0, capacity_items is 1,000,000; if neither fp_rate nor size_bits is
 * given, fp_rate is 0.01. With a size alone, the capacity is reached at a rate
 * of 0.01; with a size and a hash_count, when half the bits are set or the last
 * fingerprint has found room. A size_bits that is too small for capacity_items
 * is refused unless SEENSET_FLAG_ANY_RATE is given. With a scheme they are
 * found by seenset_plan_solve_scheme.
 */
typedef struct seenset_options {
    seenset_layout layout; /* default SEENSET_LAYOUT_BLOCKED */
    /* default SEENSET_ON_FULL_GROW; SEENSET_ON_FULL_DEGRADE where the set
     * cannot grow: size_bits or hash_count is given, counters, fingerprints,
     * SEENSET_FLAG_SHARED, a scheme */
    seenset_on_full on_full;
    uint64_t capacity_items; /* SEENSET_ON_FULL_ROTATE: keys in a window */
    double fp_rate;          /* of all tables together, 0 < fp_rate < 1 */
    uint64_t size_bits;
    uint32_t hash_count;
    uint32_t flags;        /* SEENSET_FLAG_SHARED, _SLIDING, _ZEROED, _ANY_RATE;
                              default none */
    uint32_t counter_bits; /* SEENSET_LAYOUT_COUNTING: 2 to 16 (default 4) */
    /* SEENSET_ON_FULL_ROTATE: tables of the window, 2 to 64 (default 5), of
     * which the oldest is forgotten at each step; and for how many seconds a
     * key is remembered at least, or 0 for a window by number. Other policies
     * do not use them. */
    uint32_t window_generations;
    uint64_t window_seconds;
    seenset_scheme scheme;                  /* default this library's own */
    uint32_t reserved32;                    /* must be 0 */
    seenset_index_function *index_function; /* SEENSET_SCHEME_CALLER */
    void *index_context;
    const uint8_t *secret; /* SEENSET_SECRET_BYTES, copied; NULL: not keyed */
    const seenset_allocator *allocator;     /* NULL: the C library's */
    seenset_capacity_function *at_capacity; /* NULL: no call */
    void *at_capacity_context;
    const seenset_scheme_arguments *scheme_arguments; /* NULL: none */
    uint64_t reserved[3];                             /* must be 0 */
} seenset_options;

#ifdef __cplusplus
}
#endif
#endif
