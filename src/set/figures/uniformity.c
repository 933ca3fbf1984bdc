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
 *
 * Where threads add meanwhile, slices that are counted later have more bits. If
 * D cells were set in all while the slices were counted, their means differ by
 * D / S at most. So T is that of a noncentral chi-square, with S (D / 2S)^2 /
 * (b q (1 - q)) = L at most: T - L is measured, and its variance has 4 L more.
 * The later slices never make T smaller.
 *
 * That is so of the classic tables, whose keys have places anywhere. Those that
 * keep a key's bits together are measured as evenness.h has it.
 *
 * A set is as skewed as its worst table is. Of t tables, one has so small a
 * chance by a chance of t times that at most, also where they have keys in
 * common, as in a sliding window.
 */
#include <math.h>

#include "base/growth.h"
#include "set/view/checks.h"
#include "set/figures/evenness.h"
#include "set/set.h"

enum {
    LEAST_SLICES = 16,
    LEAST_VARIANCE = 16
};

/* What is measured of a classic table. */
typedef struct measure {
    uint64_t slices;
    double chi_square, freedom;
    double variance;  /* of chi_square */
    double explained; /* what keys added to it that came meanwhile, at most */
} measure;

/* The cells of a slice, where so many are set; 0 if too few are, or unset. */
static uint64_t slice_cells(const ss_table *table, uint64_t set_cells)
{
    double q = (double)set_cells / (double)table->size_bits;
    uint64_t most = table->size_bits / LEAST_SLICES;
    for (uint64_t cells = SS_WORD_BITS; cells <= most; cells *= 2)
        if ((double)cells * q * (1.0 - q) >= LEAST_VARIANCE)
            return cells;
    return 0;
}

/* What keys that came since `before` cells were set add to chi_square at most.
 * Cells are only set meanwhile; those of a window may be cleared. */
static double explained_by_drift(const ss_table *table, uint64_t before,
                                 uint64_t slices, double variance)
{
    if (!table->layout->is_shared)
        return 0.0;
    double drift = (double)ss_table_count_cells(table) - (double)before;
    return drift * drift / (4.0 * (double)slices * variance);
}

/* Sums of squares fit: they are b q m / 16 at most. */
static measure measure_cells(const ss_table *table)
{
    uint64_t before = ss_table_count_cells(table);
    uint64_t cells = slice_cells(table, before), total = 0, squares = 0;
    if (cells == 0)
        return (measure){0};
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
        return (measure){0};
    double freedom = (double)slices - 1.0;
    double spread = 2.0 + (1.0 - 6.0 * q * (1.0 - q)) / variance;
    return (measure){
        .slices = slices,
        .chi_square = ((double)squares - (double)total * mean) / variance,
        .freedom = freedom,
        .variance = freedom * spread,
        .explained = explained_by_drift(table, before, slices, variance)};
}

static double p_value_of(const measure *found)
{
    double freedom = found->freedom;
    double variance = found->variance + 4.0 * found->explained;
    double chi_square = found->chi_square;
    if (chi_square > freedom)
        chi_square = fmax(chi_square - found->explained, freedom);
    double relative = variance / (9.0 * freedom * freedom);
    double z = (cbrt(chi_square / freedom) - (1.0 - relative)) / sqrt(relative);
    return erfc(fabs(z) * 0.70710678118654752);
}

static ss_evenness of_table(const ss_table *table)
{
    if (!table->layout->traits->is_classic)
        return ss_evenness_of(table);
    measure found = measure_cells(table);
    if (found.slices == 0)
        return (ss_evenness){.chance = 1.0};
    return (ss_evenness){.slices = found.slices,
                         .chi_square = found.chi_square,
                         .freedom = found.freedom,
                         .chance = p_value_of(&found)};
}

seenset_uniformity ss_set_uniformity(const seenset *set, uint64_t now)
{
    seenset_uniformity all = {.p_value = 1.0};
    double tables = 0.0;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        if (ss_set_is_expired(set, i, now))
            continue;
        ss_evenness found = of_table(&set->generations[i].table);
        tables += found.slices > 0;
        all.slice_count += found.slices;
        all.chi_square += found.chi_square;
        all.degrees_of_freedom += found.freedom;
        all.p_value = fmin(all.p_value, found.chance);
    }
    if (tables > 0.0)
        all.p_value = fmin(all.p_value * tables, 1.0);
    all.is_skewed = all.p_value < SS_EVENNESS_ALARM;
    return all;
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
