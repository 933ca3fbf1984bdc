/*
 * seenset/plan.h - how large, how many hashes, at what rate.
 *
 * Four numbers describe a Bloom filter: n keys, a false-positive rate p, m
 * bits, and k bits set by each key. Give some, and the planner finds the rest
 * from a formula of the layout that is exact or gives at most a little too high
 * a rate, never from an approximation that is optimistic:
 *
 *     seenset_plan plan = {.capacity_items = 1000000, .fp_rate = 0.01};
 *     int error = seenset_plan_solve(&plan);      // plan.size_bits, ...
 *
 * Nothing here allocates or keeps state; every function is safe from any
 * thread.
 */
#ifndef SEENSET_PLAN_H
#define SEENSET_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "seenset/error.h"
#include "seenset/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a table arranges its bits. Zero means the default,
 * SEENSET_LAYOUT_BLOCKED. */
typedef enum seenset_layout {
    SEENSET_LAYOUT_DEFAULT = 0,
    /*
     * Lines of 512 bits, eight 64-bit words each; a key sets one bit in each
     * word of 1, 2 or 3 lines (k = 8, 16 or 24), so a call has 1, 2 or 3 cache
     * misses.
     */
    SEENSET_LAYOUT_BLOCKED = 1,
    /* The classic Bloom filter: k bits anywhere among m. */
    SEENSET_LAYOUT_BLOOM = 2,
    /*
     * The classic with counters of 2 to 16 bits in place of bits: keys can be
     * removed and counted. m is the number of counters.
     */
    SEENSET_LAYOUT_COUNTING = 3,
    /*
     * Fingerprints of 4 to 32 bits, built once from all keys and never changed
     * (seenset_build_sealed): the smallest by far.
     */
    SEENSET_LAYOUT_SEALED = 4,
    /*
     * The split-block Bloom filter of Apache Parquet: blocks of 256 bits, eight
     * 32-bit words each; a key sets one bit in each word of one block (k = 8).
     * Bits are equal to Parquet's for equal hashes: it hashes values by XXH64,
     * which the hash calls take. For exchange, and for sets in a cache that
     * are asked for one key at a time; BLOCKED is smaller.
     */
    SEENSET_LAYOUT_SPLIT_BLOCK = 5,
    /*
     * Reported only: a table that grows in place, which a growing set makes
     * when its first table is full. It keeps fingerprints in cache
     * lines, each of which gives up a bit when the table doubles.
     * seenset_table_info.layout has it; in options and plans it is
     * SEENSET_EINVAL.
     */
    SEENSET_LAYOUT_EXPANDABLE = 6,
    /*
     * Fingerprints in lines of 512 bits (a quotient filter): keys can be
     * removed and counted, in a third of the memory of COUNTING. A key takes a
     * slot of k bits (8 to 49): k - 1 fingerprint bits and a marker bit. Adding
     * a key that is seen takes a slot as well, so that it can be removed as
     * often as it was added; so the capacity counts all keys and copies that
     * are in the set at a time. A key with SEENSET_MAX_COPIES copies cannot be
     * removed. When there is no room for more, slots are cut: the rate rises,
     * and the keys that were cut stay.
     */
    SEENSET_LAYOUT_FINGERPRINT = 7
} seenset_layout;

#define SEENSET_MAX_SIZE_BITS (UINT64_C(1) << 53) /* 1 PiB of memory */
#define SEENSET_MAX_HASH_COUNT 255u /* k of SEENSET_LAYOUT_BLOOM */
#define SEENSET_MAX_COPIES 15u      /* of SEENSET_LAYOUT_FINGERPRINT */
#define SEENSET_MAX_LINE_COUNT 3u   /* k / 8 of SEENSET_LAYOUT_BLOCKED */

/* "blocked", "bloom", "counting", "sealed", "split_block", "expandable",
 * "fingerprint"; "unknown" for other numbers. */
SEENSET_API const char *seenset_layout_name(seenset_layout layout);

/* The numbers of a table. Start from {0} and name the numbers you have. */
typedef struct seenset_plan {
    seenset_layout layout;   /* in: 0 means the default; out: never 0 */
    uint32_t hash_count;     /* k, bits a key sets: 1..255; blocked 8, 16, 24;
                                split_block 8; fingerprint: bits of a slot,
                                8..49 */
    uint64_t capacity_items; /* n, distinct keys: 1..2^53 */
    double fp_rate;          /* p, 0 < p < 1: the rate promised at n keys */
    uint64_t size_bits;      /* m: 1..2^53; blocked: a multiple of 64 k;
                                split_block: of 256, below 2^40 */
    double expected_fp_rate; /* out: the rate that the planner assumes for n,
                                m, k: that of seenset_plan_fp_rate or, for bloom
                                and counting, slightly more, never less */
    double bits_per_key;     /* out: m / n */
    double floor_bits;       /* out: the fewest bits that any structure needs,
                                n log2(1/p) (Carter et al. 1978) */
    uint64_t reserved[4];    /* must be 0 */
} seenset_plan;

/*
 * Fills in the fields of *plan that are 0 from the other ones. Given:
 *
 *     n, p        m and k: the fewest bits (blocked: the fewest lines whose
 *                 size stays within 10 % of the classic's)
 *     n, p, k     m: the fewest bits at that k
 *     n, m        k: the best for them, and p
 *     n, m, k     p
 *     m, p        n: the most keys, and the best k
 *     m, p, k     n
 *     n, p, m     k: the smallest that keeps p
 *     n, p, m, k  nothing; they are checked against each other
 *
 * A sealed table takes n and p (and k, 3 or 4) and gives m. Its rate is 2^-w for
 * the least w from 4 to 32 that keeps p, and may be over p by a millionth of p:
 * a p of 1/256 takes 8 bits, not 9.
 * A blocked size that is given is rounded up to whole lines in each region, and
 * a size of fingerprints to whole lines. With fingerprints n is at most 88 to
 * 94 % of the slots, depending on their width; beyond that the call returns
 * SEENSET_ERATE, or, if no p is given, the rate that would result.
 * Two keys with the same 64-bit hash are one key, which adds n / 2^64 to every
 * rate (birthday bound); a p below that is refused.
 *
 * Returns 0; SEENSET_EINVAL (a number outside its range, NaN, too few given, or
 * a reserved field that is not 0), SEENSET_ERATE (the numbers given cannot keep
 * p), SEENSET_ETOOBIG (more than 2^53 bits). On error *plan is untouched. Cost:
 * microseconds.
 */
SEENSET_API int seenset_plan_solve(seenset_plan *plan);

/*
 * As seenset_plan_solve, for a set whose places come from a scheme, in a table
 * of SEENSET_LAYOUT_BLOOM (the default here) or SEENSET_LAYOUT_COUNTING.
 * arguments as in seenset_options; NULL: none. SEENSET_SCHEME_CHAIN:
 * seenset_plan_solve.
 *
 * A size_bits that is found is rounded up to one that the scheme has: a power
 * of two for SEENSET_SCHEME_POLYNOMIAL, whole bytes for those of ClickHouse;
 * expected_fp_rate is then under fp_rate. If the scheme does not have the best
 * hash_count, the nearest is taken, with the size that it needs. The rate is
 * that of a good hash, which not every scheme has; seenset_get_uniformity
 * measures it in a set that holds keys.
 *
 * SEENSET_SCHEME_CLICKHOUSE_BLOOM with n and p alone has the whole bits per key
 * and the hash_count of ClickHouse's index bloom_filter(p): 0.025 -> (8, 4),
 * 0.01 -> (10, 5). They do not keep every p, because ClickHouse's table of them
 * is rounded and ends at (19, 13), 1.09e-4. fp_rate is then set to
 * expected_fp_rate, the rate that they keep. Give hash_count as well for a size
 * that keeps p.
 *
 * Returns as seenset_plan_solve; SEENSET_EINVAL also for an unknown scheme, a
 * given size or hash_count that it does not have, and arguments that it does
 * not take; SEENSET_EUNSUPPORTED (another layout).
 * Cost: microseconds.
 */
SEENSET_API int
seenset_plan_solve_scheme(seenset_plan *plan, seenset_scheme scheme,
                          const seenset_scheme_arguments *arguments);

/*
 * A set that grows (SEENSET_ON_FULL_GROW) at a given number of keys. Keys count
 * if they were answered "new", as in added_items of seenset_info.
 *
 * Its first table has a fixed size; all further keys go to one expandable
 * table, which grows in place until it has about p 2^62 keys: 64-bit hashes
 * cannot keep p for more.
 */
typedef struct seenset_plan_growth {
    seenset_layout layout; /* of its first table */
    uint32_t table_count;  /* a lookup of an absent key reads all */
    uint64_t
        first_capacity_items; /* keys that the first table was planned for */
    uint64_t added_items;     /* keys that it has */
    uint64_t capacity_items;  /* keys of all tables, when they are full: of an
                                 expandable one what it has room for as it is */
    double fp_rate;           /* promised, at every number of keys */
    double expected_fp_rate;  /* of all tables together, with these keys */
    uint64_t size_bits;       /* m of all tables; of an expandable one, all of
                                 its memory */
    double bits_per_key;      /* size_bits / added_items */
    double floor_bits;        /* no structure keeps fp_rate in fewer */
    uint64_t memory_bytes;    /* of the whole object */
    double wrong_items;       /* expected number of new keys answered "seen"
                                 by then */
    uint32_t probe_count;     /* places that a lookup reads at most, in all
                                 tables: as many cache misses, in large
                                 tables. An expandable one counts two, an
                                 entry of its directory and a line */
    uint32_t hash_count; /* k of the newest table: 1 of an expandable one */
    double mean_tables_asked; /* read by a lookup of a key in the set; the
                                 newest table is read first */
    uint64_t expanded_items;  /* keys of the expandable table; 0: it has none */
} seenset_plan_growth;

/*
 * Fills in the first out_bytes bytes of *out for a set that is made with the
 * plan's layout, capacity_items and fp_rate, and grows until it has `items`
 * keys, 1..2^53. No other field of the plan is read: a set that grows chooses
 * the sizes of its tables itself, the first one's, too. Windows are not such
 * sets: the size of a window by number is constant, and that of one by age
 * depends on when keys arrive.
 *
 *     seenset_plan first = {.capacity_items = 1000, .fp_rate = 0.01};
 *     seenset_plan_growth grown;
 *     int error = seenset_plan_grown(&first, 10000000, &grown, sizeof grown);
 *
 * table_count is as seenset_get_info returns it for such a set, and so are
 * capacity_items, size_bits and memory_bytes of tables of a fixed size. The
 * others are means over many sets, from which one set differs by chance: the
 * rates, wrong_items, and the size of an expandable table, which may be one
 * step of its growth (a sixteenth) ahead of another's. memory_bytes is that of
 * a set that was not opened from a file, with the library's own allocator, to
 * which keys were added one by one.
 *
 * Returns 0; SEENSET_EINVAL (an argument is NULL, out_bytes is 0, or a number
 * is outside its range), SEENSET_EUNSUPPORTED (sets of this layout cannot
 * grow), SEENSET_ERATE or SEENSET_ETOOBIG (a table could not be made on the
 * way, as seenset_plan_solve says). On error *out is untouched.
 * Cost: that of planning each table; some milliseconds at most.
 * Source of the formulas: docs/growth.md.
 */
SEENSET_API int seenset_plan_grown(const seenset_plan *plan, uint64_t items,
                                   seenset_plan_growth *out, size_t out_bytes);

/*
 * The rate to make each of set_count sets with, so that their union keeps
 * fp_rate whatever keys they have: fp_rate / set_count. A union answers "seen"
 * if any of its sets does, so the rates of sets of different keys add up
 * (Boole's inequality), in any structure.
 *
 * It holds for sets that grow (SEENSET_ON_FULL_GROW), whose tables stay in a
 * list: for up to SEENSET_MAX_UNION_SETS sets. Beyond that the list folds and
 * its rate rises. Sets of a fixed size, which are united place by place, have
 * another way: make each for the keys of all, at fp_rate.
 * NaN unless 0 < fp_rate < 1 and set_count > 0.
 */
SEENSET_API double seenset_plan_source_rate(double fp_rate, uint64_t set_count);

#define SEENSET_MAX_UNION_SETS 62u

/*
 * The rate of the union of set_count sets of different keys, each at fp_rate:
 * 1 - (1 - fp_rate)^set_count, for sets that grow, as above. NaN as above.
 */
SEENSET_API double seenset_plan_union_rate(double fp_rate, uint64_t set_count);

#ifdef __cplusplus
}
#endif
#endif
