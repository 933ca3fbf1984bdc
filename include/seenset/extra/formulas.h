/*
 * seenset/extra/formulas.h - the formulas of the planner on their own.
 *
 * Extra: installed, but without a promise. Its functions and types may change
 * with any release, so build your program again with each one; the loader does
 * not run it with the library of another release (docs/stability.md).
 *
 * Nothing here allocates or keeps state; every function is safe from any
 * thread. seenset_plan_solve (seenset/plan.h) rests on them.
 */
#ifndef SEENSET_EXTRA_FORMULAS_H
#define SEENSET_EXTRA_FORMULAS_H

#include "seenset/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The expected false-positive rate of a table of size_bits bits, hash_count
 * bits a key, that holds item_count distinct keys: the mean over tables. NaN
 * when an argument is outside its range. item_count may be any count from 0.
 * item_count / 2^64 is added to the formula: the chance that a key has the hash
 * of a stored one.
 * Cost: under a millisecond; for most shapes some microseconds.
 *
 * bloom, counting: E[(X/m)^k], where kn throws into m bits set X of them,
 *     within 1e-12 of it as a part. The textbook (1 - (1 - 1/m)^(kn))^k is less
 *     (Bose et al. 2008), as a mean of powers is more than the power of the
 *     mean: 0.9 % less at n = 100, m = 1000, k = 7. The planner takes a little
 *     more than the mean, never less: the sum over d of P(k throws hit d
 *     different bits) q^d, with q = 1 - (1 - 1/m)^(kn). It is at least the
 *     mean, since occupied bits are negatively associated (Joag-Dev & Proschan
 *     1983): 1.4 % more there.
 * blocked: s^L with L = k/8 regions of R = m/(512 L) lines and
 *     s = sum over j of C(n,j) (1/R)^j (1-1/R)^(n-j) (1-(63/64)^j)^8, exact.
 * split_block: s of z = m/256 blocks in place of R lines, with 31/32 in place
 *     of 63/64; plus n / (2^32 z) for keys of a block with the same lower half
 *     of the hash. (Not the published formula, which is optimistic:
 *     1.46 % where it gives 1 %.)
 * fingerprint: 1 - (1 - 1/N)^n of N = U 2^(k - 1) fingerprints, U = 8 units in
 *     each line that is a home: all but one line in a hundred, or in 28 at k =
 *     32 (Bender et al. 2012). With more keys than slots, where slots are cut,
 *     an approximation that tends to be too high.
 */
SEENSET_API double seenset_plan_fp_rate(seenset_layout layout,
                                        uint64_t item_count, uint64_t size_bits,
                                        uint32_t hash_count);

/*
 * The distinct keys a table probably holds, from its set bits:
 * ln(1 - set_bits/m) / (k ln(1 - 1/m)), Swamidass & Baldi 2007 without the
 * approximation. NaN when an argument is outside its range, infinite when all
 * bits are set.
 */
SEENSET_API double seenset_plan_item_estimate(uint64_t set_bits,
                                              uint64_t size_bits,
                                              uint32_t hash_count);

/*
 * The expected number of distinct new keys answered "seen" by mistake while
 * item_count keys were answered "new": W = f(0) + ... + f(item_count + W - 1),
 * where f(i) is the rate at i keys, as the planner takes it. NaN as in
 * seenset_plan_fp_rate. Infinite where it is not known because hardly any key
 * is new any more: see seenset_get_estimate.
 * Cost: under a millisecond.
 */
SEENSET_API double seenset_plan_wrong_items(seenset_layout layout,
                                            uint64_t item_count,
                                            uint64_t size_bits,
                                            uint32_t hash_count);

/*
 * The chance that any counter of a counting table is full, at J =
 * 2^counter_bits - 1, after item_count distinct keys were added once each, is
 * at most this: m (e n k / (J m))^J, or 1 (Fan et al. 2000, section V). Copies
 * of one key come on top: J of them fill its counters. NaN when an argument is
 * outside its range; counter_bits is 2 to 16, and item_count any count from 0.
 */
SEENSET_API double seenset_plan_overflow_bound(uint64_t item_count,
                                               uint64_t size_bits,
                                               uint32_t hash_count,
                                               uint32_t counter_bits);

/*
 * The information-theoretic floor, n log2(1/p) bits: no structure that
 * answers for n keys at rate p can be smaller (Carter et al. 1978). NaN
 * unless 0 < fp_rate < 1.
 */
SEENSET_API double seenset_plan_floor_bits(uint64_t item_count, double fp_rate);

/*
 * The least whole number of bits per key b that reaches fp_rate in a classic
 * filter with some k, and the smallest k that reaches it at that b, by
 * (1 - e^(-k/b))^k <= fp_rate: 0.1 -> (5, 3), 0.001 -> (15, 8).
 * Returns 0 or SEENSET_EINVAL (unless 1e-19 <= fp_rate < 1, or an output is
 * NULL).
 */
SEENSET_API int seenset_plan_whole_bits(double fp_rate, uint32_t *bits_per_key,
                                        uint32_t *hash_count);

#ifdef __cplusplus
}
#endif
#endif
