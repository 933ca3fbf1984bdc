/* heap.c - see heap.h */
#include "visit/partition/heap.h"

static bool is_before(const sr_lease *a, const sr_lease *b)
{
    return a->due_ms != b->due_ms ? a->due_ms < b->due_ms
                                  : a->number < b->number;
}

static void put(sr_lease **heap, uint64_t at, sr_lease *lease)
{
    heap[at] = lease;
    lease->heap_at = at;
}

static void rise(sr_lease **heap, sr_lease *lease)
{
    uint64_t at = lease->heap_at;
    while (at > 0 && is_before(lease, heap[(at - 1) / 2])) {
        put(heap, at, heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(heap, at, lease);
}

static void sink(sr_lease **heap, uint64_t count, sr_lease *lease)
{
    uint64_t at = lease->heap_at;
    for (;;) {
        uint64_t below = 2 * at + 1;
        if (below + 1 < count && is_before(heap[below + 1], heap[below]))
            below++;
        if (below >= count || !is_before(heap[below], lease))
            break;
        put(heap, at, heap[below]);
        at = below;
    }
    put(heap, at, lease);
}

void sr_heap_add(sr_lease **heap, uint64_t count, sr_lease *lease)
{
    put(heap, count, lease);
    rise(heap, lease);
}

void sr_heap_moved(sr_lease **heap, uint64_t count, sr_lease *lease)
{
    rise(heap, lease);
    sink(heap, count, lease);
}

void sr_heap_remove(sr_lease **heap, uint64_t count, sr_lease *lease)
{
    sr_lease *last = heap[count - 1];
    if (last == lease)
        return;
    put(heap, lease->heap_at, last);
    sr_heap_moved(heap, count - 1, last);
}
