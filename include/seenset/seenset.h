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
 * memory. It never forgets one: a key that was added is always answered
 * "seen". The price is a false-positive rate that you choose: a key that was
 * never added is answered "seen" with probability at most fp_rate, as long as
 * no more than capacity_items distinct keys were added. For a set of one table
 * that is the rate expected over all sets like it: which bits got set is
 * chance, so that one with a million keys may be a percent over it, one of ten
 * keys a half. A set that grows (SEENSET_ON_FULL_GROW) keeps fp_rate itself, at
 * every size, in 199 of 200 cases. seenset_get_stats tells the true rate of any
 * set.
 *
 * Threads. A call does one of four things to a set that it is given:
 *
 *     asks      all that take a const seenset *: has, has_many, has_hash,
 *               has_hash_many, count, get_bits, get_stats, copy, save,
 *               write_bytes, is_superset, compare, is_sliding; merge and
 *               intersect: `from`
 *     adds      add, add_many, add_hash, add_hash_many
 *     changes   add_parallel, add_hash_parallel, remove, clear; merge and
 *               intersect: `into`
 *     ends      free
 *
 * Two calls on one set, in two threads, may run at once if the table says so:
 *
 *                    asks      adds      changes   ends
 *         asks       always    shared    never     never
 *         adds       shared    shared    never     never
 *         changes    never     never     never     never
 *         ends       never     never     never     never
 *
 *     always: any set, a view too; shared: a set with SEENSET_SHARED; never:
 *     the caller must see to it, by a lock for example
 *
 * A call that asks a shared set sees every key whose add had returned before
 * the call began, and perhaps some of those that are added meanwhile: so do
 * the file that seenset_save writes and the set that seenset_copy makes, and
 * both are sound. A call on two sets must be allowed on each; both may be one.
 * All other calls, which take no set or make one (new, open, seal, verify and
 * their like, everything in plan.h and error.h), may run at any time; what a
 * caller lends them (arrays, an item, an output) is one call's at a time.
 * Calls that may run at once may call the set's allocator and its
 * index_function at once, too.
 *
 * Errors are negative numbers, listed in seenset/error.h. The library never
 * prints, never exits, and keeps no state outside its handles. On error the
 * outputs are untouched unless a comment says otherwise.
 */
#ifndef SEENSET_SEENSET_H
#define SEENSET_SEENSET_H

#include <stddef.h>
#include <stdint.h>

#include "seenset/error.h"
#include "seenset/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SEENSET_VERSION "0.1.0"

/* The version of the library at run time, such as "0.1.0". */
SEENSET_API const char *seenset_version(void);

/* The handle of a set, whatever its layout. */
typedef struct seenset seenset;

/* A key: len bytes at data. data may be NULL when len is 0. */
typedef struct seenset_key {
    const void *data;
    size_t len;
} seenset_key;

/* What a set does with a new key once it holds capacity_items of them. */
typedef enum seenset_on_full {
    SEENSET_ON_FULL_DEFAULT = 0,
    /* Keep adding: the rate rises; seenset_get_stats tells the true one. */
    SEENSET_ON_FULL_DEGRADE = 1,
    /* Answer SEENSET_EFULL and add nothing: the rate is kept. */
    SEENSET_ON_FULL_REFUSE = 2,
    /*
     * Add a table of twice the capacity, again and again (a scalable Bloom
     * filter): capacity_items need not be known. A lookup costs one table more
     * for each doubling. Tables are planned so that 199 of 200 sets keep
     * fp_rate at every size, whatever the first capacity was.
     */
    SEENSET_ON_FULL_GROW = 3,
    /*
     * A window: forget the oldest keys, by their number or by their age.
     *
     * By number: the last capacity_items new keys are remembered, in
     * window_generations tables of constant memory.
     *
     * By age (window_seconds = W): a new key is remembered for W seconds at
     * least and for W K / (K - 1), K = window_generations, at most, rounded up
     * to seconds. capacity_items is how many are expected in that time; the
     * rate is kept however many come, as tables are added like those of a set
     * that grows. So memory follows the keys. A table that cannot be had is an
     * error of the add, and nothing is forgotten for it.
     *
     * In either, seeing a key again does not renew it: it is forgotten as long
     * after it was new. SEENSET_SLIDING says otherwise.
     *
     * Time is what the system's clock says, and is kept in files. A clock put
     * forward makes keys that much older. One put back never forgets a key
     * early, nor when it is then put right; what was added before may be
     * remembered for up to three times as long, from the first add after that.
     * One that was ahead does not hold up time: what was added then is
     * forgotten within three times as long of the first add after it was right,
     * or, where no add comes in that time, of when it would have been. Within
     * that time, a clock that is put back too and then right may forget early.
     */
    SEENSET_ON_FULL_ROTATE = 4
} seenset_on_full;

/* "degrade", "refuse", "grow", "rotate"; "unknown" for other numbers. */
SEENSET_API const char *seenset_on_full_name(seenset_on_full on_full);

/*
 * Where a set's memory comes from. allocate returns size_bytes bytes at a
 * multiple of alignment_bytes (a power of two, at most 64), or NULL; release
 * takes back what it returned, with the same size. They are copied into the
 * set and called from the thread that calls the set: by seenset_copy, which may
 * run in several threads at once, also at once.
 */
typedef struct seenset_allocator {
    void *(*allocate)(void *context, size_t size_bytes, size_t alignment_bytes);
    void (*release)(void *context, void *memory, size_t size_bytes);
    void *context;
} seenset_allocator;

/*
 * For seenset_options.flags and seenset_open: threads may add and ask at once,
 * as the table above says. No key is lost, and none that was added before a
 * call began is missed by it, a save or a copy included. Two threads that add
 * one new key at the same moment may both be told "new", and a set that refuses
 * may pass its capacity by 512 keys a thread. Costs an atomic operation for
 * each bit that is not set yet.
 */
#define SEENSET_SHARED 2u

/*
 * For seenset_options.flags, with SEENSET_ON_FULL_ROTATE only: a sliding
 * window. A key that is added again is remembered anew, in the newest table, so
 * that it stays for as long as it comes back: by age, for window_seconds after
 * it was last added; by number, while it is among the last capacity_items keys
 * added, repeats included. Adding it still answers 0, seen. Each table that a
 * key is renewed in holds it once, and it counts there: added_items is the keys
 * of all tables together, not of different keys. Kept in the file.
 */
#define SEENSET_SLIDING 8u

/*
 * How a key becomes k places in a SEENSET_LAYOUT_BLOOM or
 * SEENSET_LAYOUT_COUNTING table. The default is this library's own. The others
 * set the same bits as the systems they come from, so that their filters can be
 * read, written and checked; they need the key itself, so calls that take
 * hashes answer SEENSET_EUNSUPPORTED, and they neither grow nor can be shared.
 */
typedef enum seenset_scheme {
    SEENSET_SCHEME_CHAIN = 1,          /* the default; 0 means this one */
    SEENSET_SCHEME_MURMUR2A_FNV1A = 2, /* k = 2, m up to 2^32 */
    SEENSET_SCHEME_MURMUR3_128 = 3,    /* h1 + i h2 of 128-bit MurmurHash3 */
    SEENSET_SCHEME_POLYNOMIAL = 4,     /* k up to 7, m a power of two to 2^32 */
    SEENSET_SCHEME_MD5_DIVMOD = 5,     /* digits of an MD5 digest to base m */
    SEENSET_SCHEME_ENHANCED_DOUBLE = 6, /* Dillinger & Manolios; for study */
    SEENSET_SCHEME_CALLER = 7           /* index_function */
} seenset_scheme;

/* Stores hash_count indices for a key, each below size_bits. The same key must
 * always give the same indices. Called from the thread that calls the set,
 * hence at once from threads that ask it at once. */
typedef void seenset_index_function(void *context, const void *key,
                                    size_t key_len, uint64_t size_bits,
                                    uint32_t hash_count, uint64_t *indices);

/*
 * The secret of a keyed set: its keys are hashed with SipHash-2-4 under it, so
 * that who does not know it cannot choose keys that collide. For sets whose
 * keys an adversary may choose. About three times the cost of a short key.
 */
#define SEENSET_SECRET_BYTES 16

/* Fills in a secret from the operating system. 0, SEENSET_EIO or
 * SEENSET_EINVAL (NULL). */
SEENSET_API int seenset_make_secret(uint8_t secret[SEENSET_SECRET_BYTES]);

/*
 * How to make a set. Zero is the default everywhere, so start from {0} and
 * name what you care about. capacity_items, fp_rate, size_bits and hash_count
 * are the n, p, m and k of seenset_plan_solve, which finds those left 0; if
 * all four are 0, capacity_items is 1,000,000; if neither fp_rate nor
 * size_bits is given, fp_rate is 0.01. A size alone is filled to a rate of
 * 0.01, and a size with a hash_count until half its bits are set.
 */
typedef struct seenset_options {
    seenset_layout layout; /* default SEENSET_LAYOUT_BLOCKED */
    /* default SEENSET_ON_FULL_GROW; SEENSET_ON_FULL_DEGRADE where size_bits or
     * hash_count is given, for SEENSET_LAYOUT_COUNTING and for SEENSET_SHARED,
     * which cannot grow */
    seenset_on_full on_full;
    uint64_t capacity_items; /* SEENSET_ON_FULL_ROTATE: keys in a window */
    double fp_rate;          /* of all tables together */
    uint64_t size_bits;
    uint32_t hash_count;
    uint32_t flags;        /* 0, SEENSET_SHARED or SEENSET_SLIDING */
    uint32_t counter_bits; /* SEENSET_LAYOUT_COUNTING: 4 (default), 8 or 16 */
    /* SEENSET_ON_FULL_ROTATE: in how many steps and one, 2 to 64 (default 5),
     * keys are forgotten, and for how long a key is remembered at least; 0: for
     * capacity_items keys. Other policies make no use of either. */
    uint32_t window_generations;
    uint64_t window_seconds;
    uint32_t scheme; /* a seenset_scheme; 0: this library's own */
    seenset_index_function *index_function; /* SEENSET_SCHEME_CALLER */
    void *index_context;
    const uint8_t *secret; /* SEENSET_SECRET_BYTES, copied; NULL: not keyed */
    const seenset_allocator *allocator; /* NULL: the C library's */
} seenset_options;

/*
 * Makes an empty set; options NULL means a million keys at 1 %.
 * Returns 0 and the set in *out, to be freed with seenset_free; or
 * SEENSET_EINVAL, SEENSET_ERATE, SEENSET_ETOOBIG as seenset_plan_solve does,
 * SEENSET_EUNSUPPORTED (the layout, the scheme or a shared set cannot do what
 * on_full asks), or SEENSET_ENOMEM. SEENSET_SLIDING without
 * SEENSET_ON_FULL_ROTATE is SEENSET_EINVAL. Cost: one allocation of
 * seenset_stats.memory_bytes, zeroed.
 */
SEENSET_API int seenset_new(seenset **out, const seenset_options *options);

/* Frees a set and unmaps its file. NULL is allowed. */
SEENSET_API void seenset_free(seenset *set);

/*
 * Adds the key_len bytes at key. The empty key is a key like any other.
 * Returns 1 (new: it was not in the set), 0 (seen: it was, or it is a false
 * positive and the set is unchanged); SEENSET_EFULL (new, at capacity, and
 * the set refuses), SEENSET_EREADONLY, or SEENSET_EINVAL (key is NULL and
 * key_len is not 0). A set that grows and a window may also answer
 * SEENSET_ENOMEM, SEENSET_ERATE or SEENSET_ETOOBIG (no further table can be
 * had, or could keep the promise; by age, 256 at most): the key was not added,
 * or, where it was seen, not renewed, and nothing else is lost.
 * A counting set counts a key that is seen once more.
 * Cost: one hash of the key and 1 to 3 cache misses (blocked), k (bloom) for
 * each table of the set.
 */
SEENSET_API int seenset_add(seenset *set, const void *key, size_t key_len);

/*
 * Asks whether a key is in the set: 1 (seen, or with probability fp_rate a
 * false positive) or 0 (never added); SEENSET_EINVAL (key is NULL and key_len
 * is not 0); of a checked view (SEENSET_OPEN_VIEW) also SEENSET_ECORRUPT (what
 * is undamaged does not have the key, and a block that could tell is damaged).
 * 0 is said only of a key that was never added, so `if (seenset_has(...))` errs
 * on the side of "seen": an error is not 0 either.
 * Cost: as seenset_add, or less; in a checked view some 0.5 microseconds more
 * for each block of 4096 bytes that is touched for the first time.
 */
SEENSET_API int seenset_has(const seenset *set, const void *key,
                            size_t key_len);

/*
 * The same for many keys, in order, several times faster on large sets.
 * Equal keys in one batch: the first is new, the rest are seen.
 * add_many stores 1 (new), 0 (seen) or SEENSET_ANSWER_REFUSED into is_new[i],
 * and has_many 1 or 0 into is_seen[i]; is_new may be NULL. has_many of a
 * checked view may return SEENSET_ECORRUPT: is_seen is filled in, with 1 for
 * each key that touches a damaged block. Returns 0; SEENSET_EINVAL (an array is
 * NULL while key_count is not 0, or a key is NULL while its len is not 0;
 * nothing was added, and what is_seen holds means nothing), SEENSET_EREADONLY,
 * SEENSET_EUNSUPPORTED (a sealed set); or SEENSET_EFULL, SEENSET_ENOMEM,
 * SEENSET_ERATE or SEENSET_ETOOBIG as seenset_add (some keys were refused;
 * is_new is filled in).
 */
#define SEENSET_ANSWER_REFUSED 2
SEENSET_API int seenset_add_many(seenset *set, const seenset_key *keys,
                                 size_t key_count, uint8_t *is_new);
SEENSET_API int seenset_has_many(const seenset *set, const seenset_key *keys,
                                 size_t key_count, uint8_t *is_seen);

/*
 * The same for a 64-bit hash made by the caller instead of a key. It must be
 * a good one, with every bit uniform: 64-bit XXH3, a SipHash, not a counter
 * and not std::hash of an integer. Mixing keys and hashes in one set is
 * allowed: a key is its XXH3-64 with seed 0.
 * Each returns what its twin for keys returns, or SEENSET_EUNSUPPORTED for a
 * set with a secret or a scheme, which needs the key itself: that is not 0,
 * "never added", as the set can't know.
 */
SEENSET_API int seenset_add_hash(seenset *set, uint64_t hash);
SEENSET_API int seenset_has_hash(const seenset *set, uint64_t hash);
SEENSET_API int seenset_add_hash_many(seenset *set, const uint64_t *hashes,
                                      size_t hash_count, uint8_t *is_new);
SEENSET_API int seenset_has_hash_many(const seenset *set,
                                      const uint64_t *hashes, size_t hash_count,
                                      uint8_t *is_seen);

/*
 * Adds many keys without saying which were new, on several threads, each with
 * lines of the table of its own, so that none waits for another's. For making
 * a set from an array or a file of a few hundred thousand keys or more; with
 * fewer, or on one thread, as add_many above. thread_count: 0 means one; more
 * than 64 means 64. While it runs, several threads take an eighth of the
 * table's memory besides, 2 MiB at least and 256 MiB at most, and some 0.5 MiB
 * each. added_items is exact for sets of one line a key, else an estimate from
 * the bits. A set that refuses is filled by seenset_add_many.
 * Returns 0; SEENSET_EINVAL, SEENSET_EREADONLY, SEENSET_EFULL as
 * seenset_add_many does, or SEENSET_ENOMEM (nothing was added; or, to a set
 * that grows, some keys as by seenset_add_many). If a thread cannot be started,
 * the others do its work.
 */
SEENSET_API int seenset_add_parallel(seenset *set, const seenset_key *keys,
                                     size_t key_count, unsigned thread_count);
SEENSET_API int seenset_add_hash_parallel(seenset *set, const uint64_t *hashes,
                                          size_t hash_count,
                                          unsigned thread_count);

/* Told how far a long call has come: `done` of `total` steps of attempt number
 * `attempt`, from 0; another attempt starts over. report may be NULL. */
typedef struct seenset_progress {
    void (*report)(void *context, uint64_t done, uint64_t total,
                   unsigned attempt);
    void *context;
} seenset_progress;

/*
 * Makes a set of all keys at once, to which nothing can be added: the smallest
 * kind, 1.08 to 1.13 times log2(1/p) bits a key. Equal keys are one. options:
 * fp_rate (default 0.01; the rate becomes 2^-8, 2^-16 or 2^-32, the first of
 * them that is at most fp_rate; the chance of equal hashes, key_count / 2^64,
 * may add a millionth of fp_rate to it), hash_count (4: smallest, the default;
 * or 3: faster), secret, allocator, and nothing else. progress may be NULL.
 * seal_hashes works on ready hashes, in place: their order is lost.
 * Needs 8 bytes a key for hashes (seal only) and a window of work besides the
 * set itself; src/table/fuse.h says how much. Sizes may be over 2^32 keys.
 * Returns 0 and the set in *out; SEENSET_EINVAL, SEENSET_ENOMEM,
 * SEENSET_ETOOBIG; SEENSET_ERATE (fp_rate under 2^-32, or hashes that were made
 * up to defeat the construction); SEENSET_EUNSUPPORTED (hashes with a secret).
 * Adding to it, merging and clearing answer SEENSET_EUNSUPPORTED.
 */
SEENSET_API int seenset_build_sealed(seenset **out,
                                     const seenset_options *options,
                                     const seenset_key *keys, size_t key_count,
                                     const seenset_progress *progress);
SEENSET_API int seenset_build_sealed_hashes(seenset **out,
                                            const seenset_options *options,
                                            uint64_t *hashes, size_t hash_count,
                                            const seenset_progress *progress);

/* What a set is, and how full. */
typedef struct seenset_stats {
    seenset_layout layout;
    seenset_on_full on_full;
    uint32_t hash_count;       /* k: bits a key sets */
    uint32_t generation_count; /* tables it is made of */
    uint64_t capacity_items;   /* distinct keys it was planned for */
    uint64_t added_items;      /* adds answered "new", and in sliding windows
                                  keys renewed; windows: of the keys that are
                                  remembered; after a merge of two sets that
                                  hold keys, an estimate */
    uint64_t size_bits;        /* m */
    uint64_t set_bits;         /* bits that are 1 */
    double fill;               /* set_bits / size_bits */
    double fp_rate;            /* promised, at capacity_items */
    double current_fp_rate;    /* of the bits as they are now */
    double estimated_items;    /* distinct keys, from set_bits */
    double wrong_items;        /* expected number of new keys answered "seen" */
    uint64_t memory_bytes;     /* of the whole object, or of its mapping */
    int is_read_only;          /* 1: opened as a view */
    uint32_t counter_bits;     /* SEENSET_LAYOUT_COUNTING, else 0 */
    uint32_t fingerprint_bits; /* SEENSET_LAYOUT_SEALED, else 0 */
    uint32_t scheme;           /* a seenset_scheme */
    int is_keyed;              /* 1: under a secret */
    uint64_t full_counters;    /* full, and so never changed again */
    double overflow_bound;     /* P(any counter is full) is at most that */
    uint32_t window_generations; /* SEENSET_ON_FULL_ROTATE, else 0 */
    uint64_t window_seconds;
} seenset_stats;

/*
 * Fills in *out. Returns 0, SEENSET_EINVAL (set or out is NULL) or
 * SEENSET_ECORRUPT (a checked view of a damaged file; an unchecked one tells
 * what the bits there say). Cost: reads every bit of the set.
 */
SEENSET_API int seenset_get_stats(const seenset *set, seenset_stats *out);

/*
 * Takes a key out of a counting set, one copy of it. Only remove keys that
 * were added: one that is merely a false positive takes bits of other keys
 * with it, and they are forgotten.
 * Returns 1 (taken out), 0 (it was not in the set), SEENSET_EUNSUPPORTED (not
 * a counting set), SEENSET_EREADONLY or SEENSET_EINVAL (key is NULL and
 * key_len is not 0).
 */
SEENSET_API int seenset_remove(seenset *set, const void *key, size_t key_len);

/*
 * How many copies of a key a counting set holds: the least of its counters,
 * which is never less than the truth until one of them is full (15, 255 or
 * 65535). 0 in *count: none. Returns 0, SEENSET_EUNSUPPORTED, SEENSET_EINVAL
 * or, of a checked view, SEENSET_ECORRUPT.
 */
SEENSET_API int seenset_count(const seenset *set, const void *key,
                              size_t key_len, uint64_t *count);

/*
 * Stores whether bits first, ..., first + count - 1 are set (counters: not 0),
 * one byte each, 0 or 1. Returns 0, SEENSET_EINVAL (past the end, or NULL),
 * SEENSET_EUNSUPPORTED (several tables) or, of a checked view,
 * SEENSET_ECORRUPT (these bits are in a damaged block).
 */
SEENSET_API int seenset_get_bits(const seenset *set, uint64_t first,
                                 uint64_t count, uint8_t *bits);

/* Is it a window made with SEENSET_SLIDING? 1 or 0; NULL: 0. Cannot fail. */
SEENSET_API int seenset_is_sliding(const seenset *set);

/* Forgets every key. Returns 0, SEENSET_EREADONLY or SEENSET_EINVAL (NULL). */
SEENSET_API int seenset_clear(seenset *set);

/*
 * A set of its own with the same keys, from the same allocator; of a view, one
 * that can be changed; of a shared set, one that is shared as well.
 * Returns 0, SEENSET_ENOMEM, SEENSET_EINVAL (NULL) or SEENSET_ECORRUPT (a
 * checked view of a damaged file).
 */
SEENSET_API int seenset_copy(seenset **out, const seenset *set);

/*
 * Adds every key of `from` to `into` (set union). Afterwards `into` answers
 * "seen" for all keys of both. A set that grows takes in any set of its
 * layout: tables alike with room are united, others are copied into its list.
 * So does a window by age, of windows of its layout, window_seconds and
 * window_generations: no key is forgotten sooner than in either set.
 * Otherwise the sets must agree in layout, size_bits, hash_count, counter_bits
 * and window, and `from` be one table. A set that refuses is merged all the
 * same: no key is lost, and it then is at its capacity. The copies that
 * counting sets count add up. Copied tables bring their own rates: what the
 * sets promised adds up, and seenset_get_stats tells the true rate.
 * Returns 0, SEENSET_EMISMATCH, SEENSET_EUNSUPPORTED (sealed),
 * SEENSET_EREADONLY, SEENSET_EINVAL (NULL), or SEENSET_ENOMEM,
 * SEENSET_ETOOBIG (over 64 tables; windows by age: over 256) or
 * SEENSET_ECORRUPT (`from` is a checked view of a damaged file) with `into`
 * unchanged. Cost: reads both sets, writes one.
 */
SEENSET_API int seenset_merge(seenset *into, const seenset *from);

/*
 * Keeps in `into` what is in both. Every key of both is still seen; others are
 * at a rate no higher than the lower of the two. Both must be one table,
 * alike, and not counting.
 * Returns 0, SEENSET_EMISMATCH, SEENSET_EUNSUPPORTED (several tables, or
 * counters), SEENSET_EREADONLY, SEENSET_EINVAL (NULL) or SEENSET_ECORRUPT (a
 * checked view of a damaged file).
 */
SEENSET_API int seenset_intersect(seenset *into, const seenset *from);

/*
 * Is every bit of `other` set in `set`? 1: it may hold all its keys; 0: it
 * lacks at least one. Errors as for seenset_intersect.
 */
SEENSET_API int seenset_is_superset(const seenset *set, const seenset *other);

/* How alike two sets are, estimated from their bits. */
typedef struct seenset_similarity {
    double union_items;        /* distinct keys in either */
    double intersection_items; /* in both */
    double jaccard;            /* intersection / union, 0 to 1 */
    double jaccard_error;      /* its standard error, an upper estimate */
} seenset_similarity;

/*
 * Fills in *out. Returns 0 or as seenset_intersect.
 * Cost: reads both sets.
 */
SEENSET_API int seenset_compare(const seenset *a, const seenset *b,
                                seenset_similarity *out);

/*
 * Writes the set to a file, whole or not at all: to a temporary file in the
 * same folder, fsync, rename over `path`, fsync of the folder. An existing
 * file keeps its mode; a symbolic link keeps pointing at the file that is
 * replaced, or made where it led to nothing; of a file with several hard
 * links only the name that was given gets the new one. Sets that still map the
 * old file keep what they had. Any number of processes and threads may save to
 * one path at once: each save is whole, and the last one stays.
 * A process that is killed while it saves leaves the old file, and the
 * temporary one, ".seenset-" and digits, which the next save to that path
 * removes. It is locked (flock) by its writer; on a file system without locks
 * it stays.
 * Format: docs/format.md.
 * Threads may be adding to a SEENSET_SHARED set meanwhile: each key that was
 * added before the call is in the file, and of those added during it some.
 * Returns 0, SEENSET_EINVAL (NULL), SEENSET_ENOMEM, SEENSET_EIO (errno;
 * ENAMETOOLONG: the folder's path is within 46 bytes of PATH_MAX) or
 * SEENSET_ECORRUPT (a checked view of a damaged file; nothing was written).
 * An error leaves the old file as it was and no temporary file; only if the
 * last fsync, of the folder, fails is the new file already in place.
 * A program with a limit on the size of files (RLIMIT_FSIZE) should ignore
 * SIGXFSZ, which else ends it; then the limit is an error, EFBIG.
 */
SEENSET_API int seenset_save(const seenset *set, const char *path);

/* How to open a file or bytes. */
#define SEENSET_OPEN_VIEW 0u      /* read-only, mapped or borrowed, no copy */
#define SEENSET_OPEN_COPY 1u      /* a private copy that can be changed */
#define SEENSET_OPEN_UNCHECKED 4u /* a view whose payload is trusted */
/* SEENSET_OPEN_COPY | SEENSET_SHARED: a copy that threads can add to */

/*
 * Opens a file that seenset_save wrote.
 * SEENSET_OPEN_VIEW maps it: instant whatever its size; the header and every
 * size are checked, and each block of 4096 bytes of the payload when it is
 * first touched. Then what is damaged shows as SEENSET_ECORRUPT, each time it
 * is touched. It takes a bit of memory for each block; once all blocks were
 * touched it is as fast as SEENSET_OPEN_UNCHECKED, which trusts the payload
 * from the start: of a damaged file it gives wrong answers. So does a view of a
 * file of format version 1 or 2 (written by 0.1), which has no sums of blocks:
 * check it whole with seenset_verify. The file must not be changed in place or
 * truncated while it is open (seenset_save never does either).
 * SEENSET_OPEN_COPY reads it all, checks its checksums, and the set can be
 * added to; the file stays as it is until seenset_save.
 * Returns 0 and the set in *out; SEENSET_EINVAL (NULL, or unknown flags),
 * SEENSET_EIO (errno), SEENSET_EFORMAT, SEENSET_EVERSION,
 * SEENSET_ETRUNCATED, SEENSET_ECORRUPT, SEENSET_EHASH, SEENSET_ESECRET,
 * SEENSET_ENOMEM, or SEENSET_EUNSUPPORTED (a view on a big-endian machine, or
 * SEENSET_SHARED for a set that threads cannot share: see seenset_new).
 */
SEENSET_API int seenset_open(seenset **out, const char *path, unsigned flags);

/* What a file alone cannot say. */
typedef struct seenset_open_options {
    unsigned flags;        /* as for seenset_open */
    const uint8_t *secret; /* of a keyed set, SEENSET_SECRET_BYTES */
    seenset_index_function *index_function; /* SEENSET_SCHEME_CALLER */
    void *index_context;
    const seenset_allocator *allocator; /* NULL: the C library's */
} seenset_open_options;

/*
 * As seenset_open, and SEENSET_ESECRET (the set is keyed and the secret is
 * missing or not its own; or it is not keyed and one is given), SEENSET_EHASH
 * (index_function is missing, or gives other indices than the writer's did).
 */
SEENSET_API int seenset_open_with(seenset **out, const char *path,
                                  const seenset_open_options *options);
SEENSET_API int seenset_open_bytes_with(seenset **out, const void *bytes,
                                        size_t size_bytes,
                                        const seenset_open_options *options);

/*
 * The same from size_bytes bytes in memory, for programs that keep a set
 * inside files of their own. A view borrows the bytes: they must stay
 * unchanged until seenset_free, and begin at a multiple of 8 (of 64 for full
 * speed), else SEENSET_EINVAL. A copy takes them from any address.
 * Bytes after the set's own end are an error, SEENSET_ECORRUPT.
 */
SEENSET_API int seenset_open_bytes(seenset **out, const void *bytes,
                                   size_t size_bytes, unsigned flags);

/*
 * Writes what seenset_save would write to memory. On entry *size_bytes is the
 * room at `bytes`, on return the bytes written. If the room is too small, or
 * bytes is NULL, stores the room needed and returns SEENSET_ESPACE.
 * Returns 0, SEENSET_ESPACE, SEENSET_EINVAL (set or size_bytes is NULL) or
 * SEENSET_ECORRUPT (a checked view of a damaged file). Threads may be adding to
 * a SEENSET_SHARED set meanwhile, as for seenset_save.
 */
SEENSET_API int seenset_write_bytes(const seenset *set, void *bytes,
                                    size_t *size_bytes);

/* Where and why a file was refused. */
typedef struct seenset_file_report {
    uint64_t file_bytes; /* the file's length */
    uint64_t offset;     /* byte offset of the field or block at fault */
    char reason[120];    /* what was wrong, one line; "" if nothing */
} seenset_file_report;

/*
 * As seenset_open_with and seenset_open_bytes_with, and fills in *report, which
 * may be NULL: after an error the offset of the field or block at fault and the
 * reason, else a reason of "".
 */
SEENSET_API int seenset_open_report(seenset **out, const char *path,
                                    const seenset_open_options *options,
                                    seenset_file_report *report);
SEENSET_API int seenset_open_bytes_report(seenset **out, const void *bytes,
                                          size_t size_bytes,
                                          const seenset_open_options *options,
                                          seenset_file_report *report);

/*
 * Checks a file whole: header, every size, every checksum. Reads it once, in
 * constant memory. report may be NULL; it is filled in whatever is returned.
 * Returns 0 when the file is sound, else what seenset_open would return.
 */
SEENSET_API int seenset_verify(const char *path, seenset_file_report *report);

#ifdef __cplusplus
}
#endif
#endif
