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
    /* Adds it: the rate rises; seenset_get_stats returns the true one. */
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
     * By age (window_seconds = W): a new key is remembered for W seconds at
     * least and for W K / (K - 1), K = window_generations, at most, rounded up
     * to seconds. capacity_items is how many are expected in that time; the
     * rate is kept however many come, as each part of that time gets a second
     * table like that of a set that grows. So memory follows the keys. If a
     * table cannot be added, the add returns an error, and nothing is forgotten
     * for it.
     *
     * In both, seeing a key again does not renew it: it is forgotten as long
     * after it was new. SEENSET_SLIDING changes that.
     *
     * Time is that of the system's clock, and is kept in files. A clock that is
     * put forward makes keys that much older. One that is put back never
     * forgets a key early, nor when it is then put right; what was added before
     * may be remembered for up to three times as long, from the first add after
     * that. One that was ahead does not hold up time: what was added then is
     * forgotten within three times as long of the first add after it was right,
     * or, where no add comes in that time, of when it would have been. Within
     * that time, a clock that is put back too and then right may forget early.
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
 */
#define SEENSET_SHARED 2u

/*
 * For seenset_options.flags, with SEENSET_ON_FULL_ROTATE only: a sliding
 * window. A key that is added again is added to the newest table too, so it
 * stays for as long as it comes back: by age, for window_seconds after it
 * was last added; by number, while it is among the last capacity_items keys
 * added, repeats included. Adding it still returns 0, seen. Each table that a
 * key is renewed in holds it once, and it counts there: added_items is the keys
 * of all tables together, not of different keys. Kept in files.
 */
#define SEENSET_SLIDING 8u

/*
 * For seenset_options.flags: what the allocator returns is zeroed already, as
 * calloc's blocks are, so the set writes no zeros over it. Memory that the
 * operating system gives a page at a time is then taken as keys come, and a set
 * of any size is made in microseconds. An allocator that does not keep this
 * makes a set that answers "seen" for keys that were never added. Without an
 * allocator it changes nothing. Copies of the set keep it, and files do not.
 */
#define SEENSET_ZEROED 16u

/*
 * How to make a set. Zero is the default everywhere, so start from {0} and
 * name what you care about. capacity_items, fp_rate, size_bits and hash_count
 * are the n, p, m and k of seenset_plan_solve, which finds those left 0; if
 * all four are 0, capacity_items is 1,000,000; if neither fp_rate nor size_bits
 * is given, fp_rate is 0.01. A size alone is filled to a rate of 0.01, and a
 * size with a hash_count until half its bits are set, or there is no room for
 * more fingerprints. With a scheme they are found by seenset_plan_solve_scheme.
 */
typedef struct seenset_options {
    seenset_layout layout; /* default SEENSET_LAYOUT_BLOCKED */
    /* default SEENSET_ON_FULL_GROW; SEENSET_ON_FULL_DEGRADE where the set
     * cannot grow: size_bits or hash_count is given, counters, fingerprints,
     * SEENSET_SHARED, a scheme */
    seenset_on_full on_full;
    uint64_t capacity_items; /* SEENSET_ON_FULL_ROTATE: keys in a window */
    double fp_rate;          /* of all tables together, 0 < fp_rate < 1 */
    uint64_t size_bits;
    uint32_t hash_count;
    uint32_t flags;        /* SEENSET_SHARED, _SLIDING, _ZEROED; default none */
    uint32_t counter_bits; /* SEENSET_LAYOUT_COUNTING: 2 to 16 (default 4) */
    /* SEENSET_ON_FULL_ROTATE: in how many steps and one, 2 to 64 (default 5),
     * keys are forgotten, and for how long a key is remembered at least; 0: for
     * capacity_items keys. Other policies make no use of either. */
    uint32_t window_generations;
    uint64_t window_seconds;
    seenset_scheme scheme;                  /* default this library's own */
    seenset_index_function *index_function; /* SEENSET_SCHEME_CALLER */
    void *index_context;
    const uint8_t *secret; /* SEENSET_SECRET_BYTES, copied; NULL: not keyed */
    const seenset_allocator *allocator; /* NULL: the C library's */
    /*
     * Called once, when the set has capacity_items keys, so that from then on
     * its rate rises (SEENSET_ON_FULL_DEGRADE) or new keys are refused
     * (SEENSET_ON_FULL_REFUSE); NULL: nobody is told. Sets that grow and
     * windows keep their promise past that number, and never call it.
     *
     * The call that adds the key calls it (many keys: after all of them; merge
     * too), in its own thread. In a shared set that is one thread. It gets
     * at_capacity_context, and may ask the set but not add to it, change it or
     * free it. A set that is opened with that many keys or more calls it when
     * the first call to add a key ends. Not kept in files nor by seenset_copy.
     */
    void (*at_capacity)(void *context, const seenset *set);
    void *at_capacity_context;
    const seenset_scheme_arguments *scheme_arguments; /* NULL: none */
    uint64_t reserved[3];                             /* must be 0 */
} seenset_options;

#ifdef __cplusplus
}
#endif
#endif
