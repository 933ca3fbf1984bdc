/* contradiction.c - see contradiction.h */
#include "info/contradiction.h"

#include <math.h>

/* The standard error of the number of distinct keys estimated from the bits, if
 * there are `items`: sqrt(m / k^2 (e^L - 1 - L)), L = k items / m. */
static double error_of_estimate(const seenset_stats *stats, double items)
{
    double k = stats->hash_count;
    double m = (double)stats->size_bits;
    double load = k * items / m;
    return sqrt(m / (k * k) * (expm1(load) - load));
}

/*
 * A key that was answered "new" set at least one bit; a false positive set
 * none. So the added and the wrongly dropped keys together are about as many as
 * the bits show. A difference of 10 standard errors, 2 % (two threads may both
 * get "new" for one key) and 10 keys is not chance. Counters, which are
 * decremented, tables of a weak hash, and nearly full ones show less.
 */
bool contradiction_is(const seenset_stats *stats)
{
    double added = (double)stats->added_items;
    double most =
        stats->is_wrong_at_least ? INFINITY : added + 2 * stats->wrong_items;
    double shown = stats->estimated_items;
    if (stats->counter_bits != 0 || stats->fingerprint_bits != 0 ||
        stats->is_skewed || !(stats->fill < 0.9))
        return false;
    double chance = 10 * error_of_estimate(stats, shown) + 10;
    return added > shown * 1.02 + chance || shown > most * 1.02 + chance;
}
