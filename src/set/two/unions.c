/* unions.c - see unions.h */
#include "set/two/unions.h"

#include <math.h>

#include "expand/overlap.h"
#include "set/two/uniting.h"
#include "table/expandable.h"

/* The keys of both, when slots that match are those of keys in both. */
static uint64_t count_keys(const ss_union *a, const ss_union *b)
{
    uint64_t sum = a->added_items + b->added_items; /* each at most 2^53 */
    uint64_t least =
        a->added_items > b->added_items ? a->added_items : b->added_items;
    double common = ss_expand_matches(a->expand, b->expand).items;
    double keys = (double)sum - fmax(common, 0.0);
    uint64_t most = sum < SEENSET_MAX_SIZE_BITS ? sum : SEENSET_MAX_SIZE_BITS;
    if (!(keys < (double)most))
        return most;
    return keys > (double)least ? (uint64_t)llround(keys) : least;
}

/* What the union covers beyond the larger of the two is not in its plan. */
static double rate_of_union(const ss_union *a, const ss_union *b,
                            const ss_expand *made)
{
    double had = fmax(ss_expand_rate(a->expand), ss_expand_rate(b->expand));
    double more = fmax(ss_expand_rate(made) - had, 0.0);
    return fmin(fmax(a->fp_rate, b->fp_rate) + more, 1.0);
}

/* The slots of the smaller are put among those of the larger: prefixes only
 * get shorter where units are fewer. */
static int unite(const seenset *set, ss_union *united, const ss_union *a,
                 const ss_union *b)
{
    bool is_a = a->expand->stored >= b->expand->stored;
    const ss_union *larger = is_a ? a : b, *smaller = is_a ? b : a;
    ss_expand *made;
    int error = ss_set_copy_expand(set, &made, larger->expand);
    if (error != SEENSET_OK)
        return error;
    error = ss_expand_merge(made, smaller->expand);
    if (error != SEENSET_OK) {
        ss_expand_free(made);
        return error;
    }
    bool is_same = made->stored == larger->expand->stored &&
                   made->covered == larger->expand->covered;
    *united = (ss_union){.expand = made,
                         .added_items =
                             is_same ? larger->added_items : count_keys(a, b),
                         .fp_rate = rate_of_union(a, b, made),
                         .is_first = is_same && is_a};
    return SEENSET_OK;
}

/* Unites generation `target` of a set, or the union made for it, with `from`;
 * both tables are expandable. Nothing is made where `from` has nothing more.
 * 0, or SEENSET_ENOMEM and no change. */
static int unite_with(ss_unions *made, const seenset *set, uint32_t target,
                      const ss_generation *from)
{
    const ss_generation *own = &set->generations[target];
    const ss_union into = {.expand = own->table.expand,
                           .added_items = own->added_items,
                           .fp_rate = own->fp_rate};
    const ss_union other = {.expand = from->table.expand,
                            .added_items = ss_set_added_items(from),
                            .fp_rate = from->fp_rate};
    ss_union *last = &made->of[target];
    ss_union united;
    int error =
        unite(set, &united, last->expand != NULL ? last : &into, &other);
    if (error != SEENSET_OK)
        return error;
    if (united.is_first) { /* it had all of those */
        ss_expand_free(united.expand);
        return SEENSET_OK;
    }
    ss_expand_free(last->expand);
    *last = united;
    return SEENSET_OK;
}

int ss_unions_ready(ss_unions *made, seenset *into, const ss_generation *source,
                    uint32_t target)
{
    if (target == SS_UNITING_NOWHERE)
        return ss_set_append_copy(into, source);
    return source->table.expand == NULL
               ? SEENSET_OK
               : unite_with(made, into, target, source);
}

bool ss_unions_take(ss_unions *made, seenset *set)
{
    bool is_any = false;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        ss_generation *own = &set->generations[i];
        if (made->of[i].expand == NULL)
            continue;
        ss_expand_free(own->table.expand);
        own->table.expand = made->of[i].expand;
        own->added_items = made->of[i].added_items;
        own->fp_rate = made->of[i].fp_rate;
        made->of[i].expand = NULL;
        is_any = true;
    }
    return is_any;
}

void ss_unions_drop(ss_unions *made)
{
    for (uint32_t i = 0; i < SS_MAX_TABLES; i++)
        ss_expand_free(made->of[i].expand);
}
