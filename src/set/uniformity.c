/*
 * uniformity.c - are the set bits spread as those of a good hash?
 *
 * All estimates from bits rest on one thing: that each place is as likely as
 * each other. A table of m cells, X of which are set, is cut into S slices of b
 * cells. If the places are uniform, the X set cells are any of the subsets of X
 * cells, so that slice j has c[j] of them with the mean b q and the variance
 * b q (1 - q), q = X / m, and
 *
 *     T = sum over j of (c[j] - b q)^2 / (b q (1 - q))
 *
 * is chi-square with S - 1 degrees of freedom (Pearson 1900). A hash that sets
 * bits near each other makes it larger. One that reaches some places only makes
 * it smaller. The variance of T is S - 1 times 2 + (1 - 6 q (1 - q)) /
 * (b q (1 - q)), the fourth moment of a binomial. Its cube root is near a
 * normal variable (Wilson & Hilferty 1931), which gives the chance of a value
 * as far out on either side.
 *
 * b is the least power of two times 64 with b q (1 - q) >= 16. That finds bits
 * that are near each other, and needs a few hundred set bits.
 */
#include <math.h>

#include "base/growth.h"
#include "set/checks.h"
#include "set/set.h"

enum {
    LEAST_SLICES = 16,
    LEAST_VARIANCE = 16
};

/* One in a billion sets of a good hash is called skewed. */
static const double significance = 1e-9;

/* What is added up over the tables of a set. */
typedef struct measure {
    uint64_t slices;
    double chi_square, freedom;
    double variance; /* of chi_square */
} measure;

/* The cells of a slice; 0 if the table has too few that are set, or unset. */
static uint64_t slice_cells(const ss_table *table)
{
    double q = (double)ss_table_count_cells(table) / (double)table->size_bits;
    uint64_t most = table->size_bits / LEAST_SLICES;
    for (uint64_t cells = SS_WORD_BITS; cells <= most; cells *= 2)
        if ((double)cells * q * (1.0 - q) >= LEAST_VARIANCE)
            return cells;
    return 0;
}

/* Sums of squares fit: they are b q m / 16 at most. */
static void add_table(measure *sum, const ss_table *table)
{
    uint64_t cells = slice_cells(table), total = 0, squares = 0;
    if (cells == 0)
        return;
    uint64_t slices = table->size_bits / cells;
    for (uint64_t i = 0; i < slices; i++) {
        uint64_t count =
            ss_set_count_cells(table, i * cells, cells, table->cell_bits);
        total += count;
        squares += count * count;
    }
    double mean = (double)total / (double)slices;
    double q = mean / (double)cells;
    double variance = mean * (1.0 - q);
    if (!(variance > 0.0)) /* threads have filled it meanwhile */
        return;
    double freedom = (double)slices - 1.0;
    sum->slices += slices;
    sum->chi_square += ((double)squares - (double)total * mean) / variance;
    sum->freedom += freedom;
    sum->variance += freedom * (2.0 + (1.0 - 6.0 * q * (1.0 - q)) / variance);
}

static double p_value_of(const measure *sum)
{
    double relative = sum->variance / (9.0 * sum->freedom * sum->freedom);
    double z = (cbrt(sum->chi_square / sum->freedom) - (1.0 - relative)) /
               sqrt(relative);
    return erfc(fabs(z) * 0.70710678118654752);
}

seenset_uniformity ss_set_uniformity(const seenset *set, uint64_t now)
{
    measure sum = {0};
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_table *table = &set->generations[i].table;
        if (table->layout->traits->is_classic &&
            !ss_set_is_expired(set, i, now))
            add_table(&sum, table);
    }
    double p_value = sum.slices > 0 ? p_value_of(&sum) : 1.0;
    return (seenset_uniformity){.slice_count = sum.slices,
                                .chi_square = sum.chi_square,
                                .degrees_of_freedom = sum.freedom,
                                .p_value = p_value,
                                .is_skewed = p_value < significance};
}

int seenset_get_uniformity(const seenset *set, seenset_uniformity *out,
                           size_t out_bytes)
{
    if (set == NULL || out == NULL || out_bytes == 0)
        return SEENSET_EINVAL;
    int error = ss_checks_all(set);
    if (error != SEENSET_OK)
        return error;
    seenset_uniformity found = ss_set_uniformity(set, ss_set_now(set));
    return ss_growth_hand_out(out, out_bytes, &found, sizeof found);
}
