/* in_order.c - heap sort: in place, and as fast for any order */
#include "items/in_order.h"

typedef bool is_after(const ss_leased_item *a, const ss_leased_item *b);

static bool is_newer(const ss_leased_item *a, const ss_leased_item *b)
{
    return a->item > b->item;
}

static bool is_later(const ss_leased_item *a, const ss_leased_item *b)
{
    return a->due_ns != b->due_ns ? a->due_ns > b->due_ns : a->item > b->item;
}

static void sink(const ss_leased_item **at, size_t index, size_t count,
                 is_after *after)
{
    const ss_leased_item *item = at[index];
    for (size_t child; (child = 2 * index + 1) < count; index = child) {
        if (child + 1 < count && after(at[child + 1], at[child]))
            child++;
        if (!after(at[child], item))
            break;
        at[index] = at[child];
    }
    at[index] = item;
}

static bool is_sorted(const ss_in_order *list, is_after *after)
{
    for (size_t i = 1; i < list->count; i++) {
        if (after(list->at[i - 1], list->at[i]))
            return false;
    }
    return true;
}

static void sort(ss_in_order *list, is_after *after)
{
    const ss_leased_item **at = list->at;
    if (is_sorted(list, after))
        return;
    for (size_t i = list->count / 2; i > 0; i--)
        sink(at, i - 1, list->count, after);
    for (size_t end = list->count; end > 1; end--) {
        const ss_leased_item *last = at[0];
        at[0] = at[end - 1];
        at[end - 1] = last;
        sink(at, 0, end - 1, after);
    }
}

static int reserve(ss_in_order *list, const ss_memory *memory)
{
    if (list->room == 0)
        return SEENSET_OK;
    list->at = ss_memory_alloc(memory, list->room, sizeof *list->at);
    return list->at == NULL ? SEENSET_ENOMEM : SEENSET_OK;
}

int ss_in_order_make(ss_in_order *list, const ss_memory *memory,
                     const ss_items *items)
{
    *list = (ss_in_order){0};
    for (unsigned i = 0; i < SS_LANES; i++)
        list->room += items->lanes[i].leases.count;
    int error = reserve(list, memory);
    if (error != SEENSET_OK)
        return error;
    for (unsigned i = 0; i < SS_LANES; i++) {
        const ss_leases *leases = &items->lanes[i].leases;
        for (const ss_leased_item *item = ss_leases_oldest(leases);
             item != NULL; item = ss_leases_newer(leases, item))
            list->at[list->count++] = item;
    }
    sort(list, is_newer);
    return SEENSET_OK;
}

int ss_in_order_make_delayed(ss_in_order *list, const ss_memory *memory,
                             const ss_leases *leases)
{
    *list = (ss_in_order){.room = leases->waiting_count};
    int error = reserve(list, memory);
    if (error != SEENSET_OK)
        return error;
    for (const ss_leased_item *item = ss_leases_oldest(leases); item != NULL;
         item = ss_leases_newer(leases, item))
        if (item->state == SS_LEASE_WAITING)
            list->at[list->count++] = item;
    return SEENSET_OK;
}

void ss_in_order_by_due(ss_in_order *list)
{
    sort(list, is_later);
}

void ss_in_order_by_item(ss_in_order *list)
{
    sort(list, is_newer);
}

void ss_in_order_free(ss_in_order *list, const ss_memory *memory)
{
    ss_memory_free(memory, list->at, list->room, sizeof *list->at);
    *list = (ss_in_order){0};
}
