/* in_order.c - heap sort: in place, and as fast for any order */
#include "items/in_order.h"

static void sink(const ss_leased_item **at, size_t index, size_t count)
{
    const ss_leased_item *item = at[index];
    for (size_t child; (child = 2 * index + 1) < count; index = child) {
        if (child + 1 < count && at[child + 1]->item > at[child]->item)
            child++;
        if (at[child]->item <= item->item)
            break;
        at[index] = at[child];
    }
    at[index] = item;
}

static void sort(const ss_leased_item **at, size_t count)
{
    for (size_t i = count / 2; i > 0; i--)
        sink(at, i - 1, count);
    for (size_t end = count; end > 1; end--) {
        const ss_leased_item *last = at[0];
        at[0] = at[end - 1];
        at[end - 1] = last;
        sink(at, 0, end - 1);
    }
}

static bool is_sorted(const ss_leased_item **at, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (at[i - 1]->item > at[i]->item)
            return false;
    }
    return true;
}

int ss_in_order_make(ss_in_order *list, const ss_memory *memory,
                     const ss_items *items)
{
    *list = (ss_in_order){0};
    for (unsigned i = 0; i < SS_LANES; i++)
        list->room += items->lanes[i].leases.count;
    if (list->room == 0)
        return SEENSET_OK;
    list->at = ss_memory_alloc(memory, list->room, sizeof *list->at);
    if (list->at == NULL)
        return SEENSET_ENOMEM;
    for (unsigned i = 0; i < SS_LANES; i++) {
        const ss_leases *leases = &items->lanes[i].leases;
        for (const ss_leased_item *item = ss_leases_oldest(leases);
             item != NULL; item = ss_leases_newer(leases, item))
            list->at[list->count++] = item;
    }
    if (!is_sorted(list->at, list->count))
        sort(list->at, list->count);
    return SEENSET_OK;
}

void ss_in_order_free(ss_in_order *list, const ss_memory *memory)
{
    ss_memory_free(memory, list->at, list->room, sizeof *list->at);
    *list = (ss_in_order){0};
}
