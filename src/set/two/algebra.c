/*
 * algebra.c - two sets of one table each together: intersection, likeness.
 *
 * Tables that put every key at the same places combine place by place. The OR
 * of two tables is exactly the table of the union of their keys. The AND holds
 * every key of the intersection, and some bits more, which keys of the one and
 * keys of the other left by chance: its rate is at most the smaller of the
 * two. Sizes of unions and intersections are estimated from set bits.
 *
 * A set that is only read here may be one that threads add to meanwhile. Then
 * its words are read by atomic loads, which keeps a compiler from making
 * vectors of them: so the loops over two tables exist twice, compiled from one
 * text, is_atomic being a constant where they are called.
 */
#include <math.h>

#include "plan/shape.h"
#include "seenset/extra/formulas.h"
#include "set/two/algebra.h"
#include "set/view/checks.h"
#include "set/two/groups.h"
#include "set/kinds/kind.h"

/* The distinct keys that a table probably has. */
static double items_shown(const ss_table *table)
{
    if (!table->layout->traits->has_slots)
        return seenset_plan_item_estimate(ss_table_count_cells(table),
                                          table->size_bits, table->hash_count);
    ss_sample seen = ss_table_sample(table);
    return ss_plan_items_shown(seen.rate,
                               (double)seen.set_cells / (double)seen.cells,
                               table->size_bits, table->hash_count);
}

uint64_t ss_set_estimate_items(const ss_table *table, uint64_t least,
                               uint64_t most)
{
    double estimate = items_shown(table);
    if (!(estimate < (double)most))
        return most;
    uint64_t rounded = (uint64_t)llround(estimate);
    return rounded > least ? rounded : least;
}

/* ---- comparing ---- */

/* A word of a table that threads may be adding to, or not. */
static SS_ALWAYS_INLINE uint64_t word_of(const uint64_t *word, bool is_atomic)
{
    return is_atomic ? ss_bits_read(word) : *word;
}

/* May threads be adding to one of them? */
static bool are_atomic(const ss_table *a, const ss_table *b)
{
    return a->layout->is_shared || b->layout->is_shared;
}

/* Two sets of one table each whose places mean the same bits. */
static int check_comparable(const seenset *a, const seenset *b)
{
    if (a == NULL || b == NULL)
        return SEENSET_EINVAL;
    if (a->generation_count > 1 || b->generation_count > 1 ||
        !a->generations[0].table.layout->traits->can_compare ||
        ss_set_is_sealed(b))
        return SEENSET_EUNSUPPORTED;
    return ss_key_hash_is_same(&a->identity, &b->identity) &&
                   ss_table_is_alike(&a->generations[0].table,
                                     &b->generations[0].table)
               ? SEENSET_OK
               : SEENSET_EMISMATCH;
}

/* Two sets of which every bit will be read. */
static int check_blocks(const seenset *a, const seenset *b)
{
    int error = ss_checks_all(a);
    return error == SEENSET_OK ? ss_checks_all(b) : error;
}

static SS_ALWAYS_INLINE void keep_common(uint64_t *into, const uint64_t *from,
                                         uint64_t count, bool is_atomic)
{
    for (uint64_t i = 0; i < count; i++)
        into[i] &= word_of(&from[i], is_atomic);
}

int seenset_intersect(seenset *into, const seenset *from)
{
    int error = check_comparable(into, from);
    if (error != SEENSET_OK)
        return error;
    if (into->kind->rewrite_error != SEENSET_OK)
        return into->kind->rewrite_error;
    error = ss_checks_all(from);
    if (error != SEENSET_OK)
        return error;
    ss_generation *target = into->generations;
    const uint64_t *words = from->generations[0].table.words;
    uint64_t word_count = ss_set_word_count(target);
    if (from->generations->table.layout->is_shared)
        keep_common(target->table.words, words, word_count, true);
    else
        keep_common(target->table.words, words, word_count, false);
    uint64_t most = ss_set_added_items(from->generations);
    most = target->added_items < most ? target->added_items : most;
    target->added_items = ss_set_estimate_items(&target->table, 0, most);
    return SEENSET_OK;
}

/* Bits of `others` that `words` lacks. The other's are read first: where both
 * are one table, bits that are set in between are not missing. */
static SS_ALWAYS_INLINE uint64_t missing_bits(const uint64_t *words,
                                              const uint64_t *others,
                                              uint64_t count, bool is_atomic)
{
    uint64_t missing = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t other = word_of(&others[i], is_atomic);
        missing |= other & ~word_of(&words[i], is_atomic);
    }
    return missing;
}

int seenset_is_superset(const seenset *set, const seenset *other, bool *out)
{
    int error = check_comparable(set, other);
    if (error == SEENSET_OK && out == NULL)
        error = SEENSET_EINVAL;
    if (error == SEENSET_OK)
        error = check_blocks(set, other);
    if (error != SEENSET_OK)
        return error;
    const uint64_t *words = set->generations[0].table.words;
    const uint64_t *others = other->generations[0].table.words;
    uint64_t word_count = ss_set_word_count(set->generations);
    *out = (are_atomic(&set->generations->table, &other->generations->table)
                ? missing_bits(words, others, word_count, true)
                : missing_bits(words, others, word_count, false)) == 0;
    return SEENSET_OK;
}

static SS_ALWAYS_INLINE uint64_t count_words(const uint64_t *a,
                                             const uint64_t *b, uint64_t count,
                                             bool is_atomic)
{
    uint64_t ones = 0;
    for (uint64_t i = 0; i < count; i++)
        ones += ss_bits_count(word_of(&a[i], is_atomic) |
                              word_of(&b[i], is_atomic));
    return ones;
}

/* Bits set in either of two tables. */
static uint64_t count_union(const ss_table *a, const ss_table *b)
{
    uint64_t word_count = ss_table_word_count(a);
    return are_atomic(a, b)
               ? count_words(a->words, b->words, word_count, true)
               : count_words(a->words, b->words, word_count, false);
}

/*
 * Of J = (x + y) / u - 1. The three estimates are of the same bits. Where a
 * place is free in the union, it is free in each, so by the delta method
 *
 *     Cov(x, u) = V(x)    Cov(y, u) = V(y)    Cov(x, y) = V(shared)
 *
 * where V(n) is ss_groups_variance of n keys.
 */
static double jaccard_variance(const ss_table *table, double x, double y,
                               double either, double shared)
{
    double of_x = ss_groups_variance(table, x);
    double of_y = ss_groups_variance(table, y);
    double of_sum = of_x + of_y + 2 * ss_groups_variance(table, shared);
    double per_union = (x + y) / either;
    double variance =
        of_sum + per_union * (per_union * ss_groups_variance(table, either) -
                              2 * (of_x + of_y));
    return fmax(variance, 0.0) / (either * either);
}

bool ss_algebra_jaccard(const seenset *a, const seenset *b, double *jaccard,
                        double *jaccard_error)
{
    if (check_comparable(a, b) != SEENSET_OK)
        return false;
    const ss_table *x = &a->generations[0].table;
    const ss_table *y = &b->generations[0].table;
    double of_x = seenset_plan_item_estimate(ss_table_count_cells(x),
                                             x->size_bits, x->hash_count);
    double of_y = seenset_plan_item_estimate(ss_table_count_cells(y),
                                             y->size_bits, y->hash_count);
    double of_both = seenset_plan_item_estimate(count_union(x, y), x->size_bits,
                                                x->hash_count);
    double shared = fmax(of_x + of_y - of_both, 0.0);
    bool is_empty = !(of_both > 0.0);
    bool is_full = !isfinite(of_both); /* such bits tell nothing */
    *jaccard = is_empty  ? 0.0
               : is_full ? (double)NAN
                         : fmin(shared / of_both, 1.0);
    *jaccard_error =
        is_empty  ? 0.0
        : is_full ? 1.0
                  : sqrt(jaccard_variance(x, of_x, of_y, of_both, shared));
    return true;
}
