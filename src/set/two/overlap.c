/*
 * overlap.c - how many keys two sets share, of any sizes and numbers of tables.
 *
 * Sets of several tables are sums over pairs of tables, as a key is in one
 * table of a set: of bits (overlap_bits.c), or one of which grows in place
 * (overlap_expanded.c). A set that took in others may have a key in several.
 */
#include <math.h>

#include "base/growth.h"
#include "set/view/checks.h"
#include "set/two/algebra.h"
#include "set/two/groups.h"
#include "set/kinds/kind.h"
#include "set/two/overlap.h"
#include "set/set.h"
#include "set/view/whole.h"

typedef ss_overlap_estimate estimate;

/* ---- sets ---- */

static estimate count_items(const seenset *set, uint32_t i)
{
    const ss_table *table = &set->generations[i].table;
    return table->expand != NULL ? ss_overlap_of_expanded(set, i)
                                 : ss_groups_shown_by_bits(table);
}

static void add_estimate(estimate *sum, estimate more)
{
    sum->items += more.items;
    sum->variance += more.variance;
}

static estimate count_set(const seenset *set, uint64_t now)
{
    estimate sum = {0};
    for (uint32_t i = 0; i < set->generation_count; i++)
        if (!ss_set_is_expired(set, i, now))
            add_estimate(&sum, count_items(set, i));
    return sum;
}

/* Where another system's scheme says the places, only equal shapes agree. */
static bool is_comparable(const seenset *a, const seenset *b)
{
    const ss_table *x = &a->generations[0].table;
    const ss_table *y = &b->generations[0].table;
    return ss_key_hash_is_same(&a->identity, &b->identity) &&
           ss_table_is_same_layout(x, y) &&
           (x->scheme == NULL || ss_table_is_alike(x, y));
}

/* Of a sliding window a key may be in several tables. */
static bool can_overlap(const seenset *set)
{
    return set->generations[0].table.layout->traits->can_compare &&
           !set->tables->repeats_keys;
}

static seenset_overlap overlap_of(estimate a, estimate b, estimate common)
{
    double most = fmin(a.items, b.items);
    double both = common.items > 0 ? fmin(common.items, most) : 0;
    double either = a.items + b.items - both;
    double only_a = a.variance + common.variance;
    double only_b = b.variance + common.variance;
    /* J = both / (a + b - both) */
    double of_both = (a.items + b.items) / (either * either);
    double of_each = both / (either * either);
    double of_jaccard = of_both * of_both * common.variance +
                        of_each * of_each * (a.variance + b.variance);
    return (seenset_overlap){
        .a_items = a.items,
        .a_items_error = sqrt(a.variance),
        .b_items = b.items,
        .b_items_error = sqrt(b.variance),
        .union_items = either,
        .union_items_error = sqrt(a.variance + b.variance + common.variance),
        .intersection_items = both,
        .intersection_items_error = sqrt(common.variance),
        .a_only_items = a.items - both,
        .a_only_items_error = sqrt(only_a),
        .b_only_items = b.items - both,
        .b_only_items_error = sqrt(only_b),
        .jaccard = either > 0 ? both / either : 0,
        .jaccard_error = either > 0 ? fmin(sqrt(of_jaccard), 1) : 0};
}

/* A table that is full: how many keys it has, nobody can say. */
static seenset_overlap nothing_known(estimate a, estimate b)
{
    seenset_overlap out = {.a_items = a.items,
                           .b_items = b.items,
                           .union_items = INFINITY,
                           .intersection_items = NAN,
                           .a_only_items = NAN,
                           .b_only_items = NAN,
                           .jaccard = NAN,
                           .jaccard_error = 1};
    out.a_items_error = out.b_items_error = out.union_items_error = INFINITY;
    out.intersection_items_error = INFINITY;
    out.a_only_items_error = out.b_only_items_error = INFINITY;
    return out;
}

/* ---- table by table ---- */

/* A set as groups (groups.h). Some keys of one that took in others are in two
 * of its groups. */
typedef struct side {
    ss_groups groups;
    bool took_in_others;
    double part;
    double shown[SS_MAX_TABLES];    /* keys of each group */
    double found[SS_MAX_TABLES][2]; /* of these in the other set's tables of
                                       bits, and in those that grow */
    double shown_of[2]; /* in tables of bits, and in those that grow */
} side;

static bool grows(const side *of, uint32_t i)
{
    return of->groups.tables[i].expand != NULL;
}

static int look_at(side *of, const seenset *set, uint64_t now)
{
    int error = ss_groups_make(&of->groups, set, now);
    if (error != SEENSET_OK)
        return error;
    of->part = ss_groups_part(&of->groups, now);
    of->took_in_others = of->groups.has_several || of->part < 1.0;
    of->shown_of[0] = of->shown_of[1] = 0.0;
    for (uint32_t i = 0; i < of->groups.count; i++) {
        of->shown[i] = ss_groups_keys_shown(&of->groups, i).items;
        of->shown_of[grows(of, i)] += of->shown[i];
        of->found[i][0] = of->found[i][1] = 0.0;
    }
    return SEENSET_OK;
}

static estimate compare_pair(const side *a, uint32_t i, const side *b,
                             uint32_t j, ss_overlap_guess guess)
{
    const ss_table *x = &a->groups.tables[i], *y = &b->groups.tables[j];
    if (x->expand == NULL && y->expand == NULL)
        return ss_overlap_of_bits(x, y);
    return a->took_in_others || b->took_in_others
               ? ss_overlap_of_tables(x, y, guess)
               : ss_overlap_with_expanded(a->groups.set, a->groups.firsts[i],
                                          b->groups.set, b->groups.firsts[j],
                                          guess);
}

/*
 * Keys of group i of a, of bits, that may be in group j of b, which grows in
 * place: none that are known to be in another table, where no key is in
 * several. If keys came in random order, those of j are in the tables of a as
 * often as these have keys.
 */
static ss_overlap_guess guess_pair(const side *a, uint32_t i, const side *b,
                                   uint32_t j)
{
    double known_a = a->found[i][0], known_b = b->found[j][1];
    ss_overlap_guess guess = {
        .most = fmin(a->shown[i] - known_a, b->shown[j] - known_b)};
    guess.mean = a->shown_of[1] > 0.0 ? known_b * a->shown[i] / a->shown_of[1]
                                      : known_a * b->shown[j] / b->shown_of[0];
    guess.mean = isfinite(guess.mean) ? fmax(guess.mean, 0.0) : -1.0;
    return guess;
}

static estimate note_pair(side *a, uint32_t i, side *b, uint32_t j,
                          ss_overlap_guess guess)
{
    estimate both = compare_pair(a, i, b, j, guess);
    a->found[i][grows(b, j)] += both.items;
    b->found[j][grows(a, i)] += both.items;
    return both;
}

/* First tables of one kind, which show most; then the others. */
static estimate count_pairs(side *a, side *b, bool are_alike)
{
    estimate sum = {0};
    bool is_any_merged = a->took_in_others || b->took_in_others;
    for (uint32_t i = 0; i < a->groups.count; i++) {
        for (uint32_t j = 0; j < b->groups.count; j++) {
            ss_overlap_guess guess = SS_OVERLAP_NO_GUESS;
            if ((grows(a, i) == grows(b, j)) != are_alike)
                continue;
            if (!are_alike)
                guess = grows(a, i) ? guess_pair(b, j, a, i)
                                    : guess_pair(a, i, b, j);
            if (is_any_merged) /* a key may be in several tables */
                guess.most = INFINITY;
            add_estimate(&sum, note_pair(a, i, b, j, guess));
        }
    }
    return sum;
}

/*
 * Keys of b that were found in a twice: in one of its tables of bits, and in
 * one that grows. Of each group of b no more than in either, and no fewer than
 * are found beyond its keys; between these, the part of a's own keys that are
 * in two groups.
 */
static estimate found_twice(const side *a, const side *b)
{
    estimate twice = {0};
    for (uint32_t j = 0; a->part < 1.0 && j < b->groups.count; j++) {
        double bits = fmin(fmax(b->found[j][0], 0.0), b->shown[j]);
        double slots = fmin(fmax(b->found[j][1], 0.0), b->shown[j]);
        double most = fmin(bits, slots);
        double least = fmin(fmax(bits + slots - b->shown[j], 0.0), most);
        double usual = (bits + slots) * (1.0 - a->part);
        double range = most - least;
        twice.items += fmin(fmax(usual, least), most);
        twice.variance += range * range / 12.0;
    }
    return twice;
}

static ss_overlap_found count_common(side *a, side *b)
{
    estimate alike = count_pairs(a, b, true), all = alike;
    add_estimate(&all, count_pairs(a, b, false));
    estimate of_a = found_twice(a, b), of_b = found_twice(b, a);
    all.items = fmax(all.items - of_a.items - of_b.items, 0.0);
    all.variance += of_a.variance + of_b.variance;
    return (ss_overlap_found){.all = all, .alike = alike};
}

/* The keys of a set that took in none are counted from its bits. */
static estimate keys_of(const side *of, const seenset *set, uint64_t now)
{
    return of->took_in_others ? ss_groups_keys(set, now) : count_set(set, now);
}

/* The keys of a, of b and of both. 0 or SEENSET_ENOMEM. */
static int estimate_both(const seenset *a, const seenset *b, uint64_t now,
                         estimate out[2], ss_overlap_found *common,
                         bool *is_any_merged)
{
    side of_a, of_b;
    int error = look_at(&of_a, a, now);
    if (error != SEENSET_OK)
        return error;
    error = look_at(&of_b, b, now);
    if (error == SEENSET_OK) {
        out[0] = keys_of(&of_a, a, now);
        out[1] = keys_of(&of_b, b, now);
        *common = count_common(&of_a, &of_b);
        if (a == b)
            common->all.items = out[0].items;
        *is_any_merged = of_a.took_in_others || of_b.took_in_others;
        ss_groups_end(&of_b.groups);
    }
    ss_groups_end(&of_a.groups);
    return error;
}

int ss_overlap_common(const seenset *a, const seenset *b, uint64_t now,
                      ss_overlap_found *common, bool *is_any_merged)
{
    estimate of[2]; /* a, b */
    return estimate_both(a, b, now, of, common, is_any_merged);
}

static int overlap_sets(const seenset *a, const seenset *b,
                        seenset_overlap *out)
{
    estimate of[2]; /* a, b */
    ss_overlap_found common;
    bool is_any_merged;
    int error = estimate_both(a, b, ss_set_now(a), of, &common, &is_any_merged);
    if (error != SEENSET_OK)
        return error;
    bool is_known = isfinite(of[0].items) && isfinite(of[1].items) &&
                    isfinite(common.all.items);
    *out = is_known ? overlap_of(of[0], of[1], common.all)
                    : nothing_known(of[0], of[1]);
    (void)ss_algebra_jaccard(a, b, &out->jaccard, &out->jaccard_error);
    return SEENSET_OK;
}

int seenset_get_overlap(const seenset *a, const seenset *b,
                        seenset_overlap *out, size_t out_bytes)
{
    if (a == NULL || b == NULL || out == NULL || out_bytes == 0)
        return SEENSET_EINVAL;
    if (!can_overlap(a) || !can_overlap(b))
        return SEENSET_EUNSUPPORTED;
    if (!is_comparable(a, b))
        return SEENSET_EMISMATCH;
    ss_whole whole_a, whole_b;
    int error = ss_whole_begin(&whole_a, a);
    if (error != SEENSET_OK)
        return error;
    error = ss_whole_begin(&whole_b, a == b ? whole_a.set : b);
    if (error != SEENSET_OK) {
        ss_whole_end(&whole_a);
        return error;
    }
    seenset_overlap found;
    error = overlap_sets(whole_a.set, whole_b.set, &found);
    ss_whole_end(&whole_b);
    ss_whole_end(&whole_a);
    if (error != SEENSET_OK)
        return error;
    return ss_growth_hand_out(out, out_bytes, &found, sizeof found);
}
