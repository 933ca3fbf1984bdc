/*
 * algebra.c - two sets together: union, intersection, likeness.
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
 * text, is_shared being a constant where they are called.
 */
#include <math.h>
#include <string.h>

#include "plan/shape.h"
#include "set/algebra.h"
#include "set/capacity.h"
#include "set/checks.h"
#include "set/whole.h"
#include "set/generations.h"
#include "set/unions.h"
#include "set/window.h"

static uint64_t added_to_both(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b; /* each at most 2^53 */
    return sum < SEENSET_MAX_SIZE_BITS ? sum : SEENSET_MAX_SIZE_BITS;
}

/* The distinct keys that a table probably has. */
static double items_shown(const ss_table *table)
{
    if (!table->layout->traits->has_slots)
        return seenset_plan_item_estimate(ss_table_count_cells(table),
                                          table->size_bits, table->hash_count);
    ss_look seen = ss_table_look(table);
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

/* ---- union ---- */

/* The keys of a union; only the bits can tell which were in both. */
static uint64_t union_items(const ss_table *table, uint64_t a, uint64_t b)
{
    if (a == 0 || b == 0)
        return added_to_both(a, b);
    return ss_set_estimate_items(table, a > b ? a : b, added_to_both(a, b));
}

void ss_algebra_unite(ss_generation *into, const ss_generation *from)
{
    ss_table_merge(&into->table, &from->table);
    into->added_items =
        union_items(&into->table, into->added_items, ss_set_added_items(from));
}

enum {
    NOWHERE = SS_MAX_GENERATIONS
};

/*
 * Which of the first `count` generations takes in `from` and keeps its
 * promise, or NOWHERE. planned: the keys that each has, and those that it is
 * to take in already, which is where `from` then is counted too.
 */
static uint32_t find_room(const seenset *into, uint32_t count,
                          const ss_generation *from, uint64_t *planned)
{
    for (uint32_t i = 0; i < count; i++) {
        const ss_generation *generation = &into->generations[i];
        uint64_t sum = added_to_both(planned[i], from->added_items);
        if (ss_table_is_alike(&generation->table, &from->table) &&
            sum <= generation->capacity_items) {
            planned[i] = sum;
            return i;
        }
    }
    return NOWHERE;
}

/* The newest generation goes after those that were appended after it, unless
 * one that grows in place came with them: that is the last. */
static void keep_newest(seenset *set, uint32_t place)
{
    if (ss_set_is_expanded(set))
        return;
    ss_generation newest = set->generations[place];
    uint32_t last = set->generation_count - 1;
    memmove(set->generations + place, set->generations + place + 1,
            (last - place) * sizeof newest);
    set->generations[last] = newest;
}

/* What becomes of the tables of `from`. */
typedef struct joining {
    uint32_t own;                    /* tables that `into` has */
    uint32_t targets[SS_MAX_TABLES]; /* of them, or NOWHERE */
    ss_unions unions;
} joining;

static void find_targets(joining *to, const seenset *into, const seenset *from)
{
    uint64_t planned[SS_MAX_GENERATIONS];
    for (uint32_t i = 0; i < to->own; i++)
        planned[i] = into->generations[i].added_items;
    for (uint32_t i = 0; i < from->generation_count; i++)
        to->targets[i] =
            find_room(into, to->own, &from->generations[i], planned);
}

static void undo(joining *to, seenset *into)
{
    ss_unions_drop(&to->unions);
    while (into->generation_count > to->own)
        ss_set_drop_newest(into);
}

/*
 * Sets that grow: a table goes into one like it with room enough, and where
 * there is none a copy of it joins the list. What can fail comes first, and is
 * undone if it does.
 */
static int merge_grown(seenset *into, const seenset *from)
{
    joining to = {.own = into->generation_count};
    if (!ss_table_is_same_layout(&into->generations[0].table,
                                 &from->generations[0].table))
        return SEENSET_EMISMATCH;
    find_targets(&to, into, from);
    for (uint32_t i = 0; i < from->generation_count; i++) {
        const ss_generation *source = &from->generations[i];
        int error = SEENSET_OK;
        if (source->added_items > 0)
            error = ss_unions_ready(&to.unions, into, source, to.targets[i],
                                    NOWHERE);
        if (error == SEENSET_OK)
            continue;
        undo(&to, into);
        return error;
    }
    for (uint32_t i = 0; i < from->generation_count; i++) {
        const ss_generation *source = &from->generations[i];
        if (source->added_items > 0 && to.targets[i] != NOWHERE &&
            source->table.expand == NULL)
            ss_algebra_unite(&into->generations[to.targets[i]], source);
    }
    ss_unions_take(&to.unions, into);
    if (into->generation_count > to.own)
        keep_newest(into, to.own - 1);
    return SEENSET_OK;
}

/* Room is found by the keys that `from` has, and there must not be more when
 * it is taken: so a set that threads add to is copied first. */
static int merge_grown_shared(seenset *into, const seenset *from)
{
    seenset *still = NULL;
    int error = seenset_copy(&still, from);
    if (error != SEENSET_OK)
        return error;
    error = merge_grown(into, still);
    seenset_free(still);
    return error;
}

/* The generations from `own` on were appended youngest first, and are older
 * than the others. */
static void oldest_first(seenset *set, uint32_t own)
{
    ss_generation sorted[SS_MAX_TABLES];
    uint32_t count = set->generation_count;
    for (uint32_t i = own; i < count; i++)
        sorted[count - 1 - i] = set->generations[i];
    for (uint32_t i = 0; i < own; i++)
        sorted[count - own + i] = set->generations[i];
    memcpy(set->generations, sorted, count * sizeof *sorted);
}

/* Windows by number: newest into newest, the one before into the one before.
 */
static int merge_numbered(seenset *into, const seenset *from)
{
    if (!ss_table_is_alike(&into->generations[0].table,
                           &from->generations[0].table))
        return SEENSET_EMISMATCH;
    uint32_t own = into->generation_count;
    uint32_t count = from->generation_count;
    for (uint32_t i = own; i < count; i++) {
        if (ss_set_append_copy(into, &from->generations[count - 1 - i]) !=
            SEENSET_OK) {
            while (into->generation_count > own)
                ss_set_drop_newest(into);
            return SEENSET_ENOMEM;
        }
    }
    for (uint32_t i = 0; i < own && i < count; i++) {
        ss_generation *target = &into->generations[own - 1 - i];
        ss_algebra_unite(target, &from->generations[count - 1 - i]);
    }
    oldest_first(into, own);
    return SEENSET_OK;
}

/* By age, tables are of different sizes: it is the layout that must agree. */
static int merge_windows(seenset *into, const seenset *from)
{
    if (from->on_full != SEENSET_ON_FULL_ROTATE ||
        into->window_generations != from->window_generations ||
        into->window_seconds != from->window_seconds)
        return SEENSET_EMISMATCH;
    if (!ss_window_is_by_age(into))
        return merge_numbered(into, from);
    return ss_table_is_same_layout(&into->generations[0].table,
                                   &from->generations[0].table)
               ? ss_window_merge(into, from)
               : SEENSET_EMISMATCH;
}

/* From a set whose tables are sound and have all of its keys. */
static int merge_sound(seenset *into, const seenset *from)
{
    if (into->on_full == SEENSET_ON_FULL_GROW)
        return from->is_shared ? merge_grown_shared(into, from)
                               : merge_grown(into, from);
    if (into->on_full == SEENSET_ON_FULL_ROTATE)
        return merge_windows(into, from);
    if (from->generation_count > 1 ||
        !ss_table_can_take(&into->generations[0].table,
                           &from->generations[0].table))
        return SEENSET_EMISMATCH;
    ss_algebra_unite(into->generations, from->generations);
    ss_capacity_tell(into);
    return SEENSET_OK;
}

int seenset_merge(seenset *into, const seenset *from)
{
    if (into == NULL || from == NULL)
        return SEENSET_EINVAL;
    if (into->is_view)
        return SEENSET_EREADONLY;
    if (!into->generations[0].table.layout->traits->can_merge ||
        !from->generations[0].table.layout->traits->can_merge)
        return SEENSET_EUNSUPPORTED;
    if (into == from)
        return SEENSET_OK;
    if (!ss_key_hash_is_same(&into->identity, &from->identity))
        return SEENSET_EMISMATCH;
    ss_whole whole;
    int error = ss_whole_begin(&whole, from);
    if (error != SEENSET_OK)
        return error;
    error = merge_sound(into, whole.set);
    ss_whole_end(&whole);
    return error;
}

/* ---- comparing ---- */

/* A word of a table that threads may be adding to, or not. */
static SS_ALWAYS_INLINE uint64_t word_of(const uint64_t *word, bool is_shared)
{
    return is_shared ? ss_bits_read(word) : *word;
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
                                         uint64_t count, bool is_shared)
{
    for (uint64_t i = 0; i < count; i++)
        into[i] &= word_of(&from[i], is_shared);
}

int seenset_intersect(seenset *into, const seenset *from)
{
    int error = check_comparable(into, from);
    if (error != SEENSET_OK)
        return error;
    if (into->is_view)
        return SEENSET_EREADONLY;
    error = ss_checks_all(from);
    if (error != SEENSET_OK)
        return error;
    ss_generation *target = into->generations;
    const uint64_t *words = from->generations[0].table.words;
    uint64_t word_count = ss_set_word_count(target);
    if (from->is_shared)
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
                                              uint64_t count, bool is_shared)
{
    uint64_t missing = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t other = word_of(&others[i], is_shared);
        missing |= other & ~word_of(&words[i], is_shared);
    }
    return missing;
}

int seenset_is_superset(const seenset *set, const seenset *other)
{
    int error = check_comparable(set, other);
    if (error == SEENSET_OK)
        error = check_blocks(set, other);
    if (error != SEENSET_OK)
        return error;
    const uint64_t *words = set->generations[0].table.words;
    const uint64_t *others = other->generations[0].table.words;
    uint64_t word_count = ss_set_word_count(set->generations);
    return (set->is_shared || other->is_shared
                ? missing_bits(words, others, word_count, true)
                : missing_bits(words, others, word_count, false)) == 0;
}

static SS_ALWAYS_INLINE uint64_t count_words(const uint64_t *a,
                                             const uint64_t *b, uint64_t count,
                                             bool is_shared)
{
    uint64_t ones = 0;
    for (uint64_t i = 0; i < count; i++)
        ones += ss_bits_count(word_of(&a[i], is_shared) |
                              word_of(&b[i], is_shared));
    return ones;
}

/* Bits set in either of two tables. */
static uint64_t count_union(const ss_table *a, const ss_table *b)
{
    uint64_t word_count = ss_table_word_count(a);
    return a->layout->is_shared || b->layout->is_shared
               ? count_words(a->words, b->words, word_count, true)
               : count_words(a->words, b->words, word_count, false);
}

/* The variance of the key estimate -(m/k) ln(1 - X/m) by the delta method,
 * X the set bits of m after `items` keys: (m/k^2) (e^L - 1 - L), L = k n/m. */
static double estimate_variance(const ss_table *table, double items)
{
    double m = (double)table->size_bits;
    double k = table->hash_count;
    double load = k * items / m;
    return m / (k * k) * (expm1(load) - load);
}

int seenset_compare(const seenset *a, const seenset *b, seenset_similarity *out)
{
    int error = check_comparable(a, b);
    if (error == SEENSET_OK && out == NULL)
        error = SEENSET_EINVAL;
    if (error == SEENSET_OK)
        error = check_blocks(a, b);
    if (error != SEENSET_OK)
        return error;
    const ss_table *x = &a->generations[0].table;
    const ss_table *y = &b->generations[0].table;
    double of_x = seenset_plan_item_estimate(ss_table_count_cells(x),
                                             x->size_bits, x->hash_count);
    double of_y = seenset_plan_item_estimate(ss_table_count_cells(y),
                                             y->size_bits, y->hash_count);
    double of_both = seenset_plan_item_estimate(count_union(x, y), x->size_bits,
                                                x->hash_count);
    double shared = fmax(of_x + of_y - of_both, 0.0);
    /* J = (x + y) / u - 1; the three estimates' errors, as if independent,
     * which overstates: their errors mostly cancel */
    double sum = of_x + of_y;
    double variance =
        (estimate_variance(x, of_x) + estimate_variance(x, of_y)) /
            (of_both * of_both) +
        sum * sum * estimate_variance(x, of_both) / pow(of_both, 4.0);
    bool is_empty = !(of_both > 0.0);
    bool is_full = !isfinite(of_both); /* such bits tell nothing */
    *out = (seenset_similarity){
        .union_items = of_both,
        .intersection_items = shared,
        .jaccard = is_empty ? 0.0 : fmin(shared / of_both, 1.0),
        .jaccard_error = is_empty  ? 0.0
                         : is_full ? 1.0
                                   : sqrt(variance)};
    return SEENSET_OK;
}
