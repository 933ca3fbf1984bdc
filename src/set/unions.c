/* unions.c - see unions.h */
#include "set/unions.h"

#include "table/expandable.h"

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
    uint64_t before = made->stored;
    error = ss_expand_merge(made, smaller->expand);
    if (error != SEENSET_OK) {
        ss_expand_free(made);
        return error;
    }
    uint64_t more = made->stored > before ? made->stored - before : 0;
    if (more > smaller->added_items)
        more = smaller->added_items;
    *united = (ss_union){made, larger->added_items + more};
    return SEENSET_OK;
}

int ss_unions_add(ss_unions *made, const seenset *set, uint32_t target,
                  const ss_generation *from)
{
    const ss_generation *own = &set->generations[target];
    const ss_union into = {own->table.expand, own->added_items};
    const ss_union other = {from->table.expand, ss_set_added_items(from)};
    ss_union *last = &made->of[target];
    ss_union united;
    int error =
        unite(set, &united, last->expand != NULL ? last : &into, &other);
    if (error != SEENSET_OK)
        return error;
    ss_expand_free(last->expand);
    *last = united;
    return SEENSET_OK;
}

int ss_unions_ready(ss_unions *made, seenset *into, const ss_generation *source,
                    uint32_t target, uint32_t most)
{
    if (target < most)
        return source->table.expand == NULL
                   ? SEENSET_OK
                   : ss_unions_add(made, into, target, source);
    return into->generation_count < most ? ss_set_append_copy(into, source)
                                         : SEENSET_ETOOBIG;
}

void ss_unions_take(ss_unions *made, seenset *set)
{
    for (uint32_t i = 0; i < set->generation_count; i++) {
        ss_generation *own = &set->generations[i];
        if (made->of[i].expand == NULL)
            continue;
        ss_expand_free(own->table.expand);
        own->table.expand = made->of[i].expand;
        own->added_items = made->of[i].added_items;
        made->of[i].expand = NULL;
    }
}

void ss_unions_drop(ss_unions *made)
{
    for (uint32_t i = 0; i < SS_MAX_TABLES; i++)
        ss_expand_free(made->of[i].expand);
}
