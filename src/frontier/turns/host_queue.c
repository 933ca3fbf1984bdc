/* host_queue.c - see host_queue.h */
#include "frontier/turns/host_queue.h"

typedef struct order {
    ss_host_queue *queue;
    ss_host_table *all;
    const ss_host_order *of;
} order;

static bool is_before(const order *by, uint32_t first, uint32_t second)
{
    const ss_host_row *a = &by->all->rows[first], *b = &by->all->rows[second];
    if (!by->queue->is_by_turn && a->ready_ms != b->ready_ms)
        return a->ready_ms < b->ready_ms;
    if (by->queue->is_by_turn) {
        unsigned rank = ss_host_rank(by->of, first);
        if (rank != ss_host_rank(by->of, second))
            return rank > ss_host_rank(by->of, second);
        uint32_t clock = by->of->clocks[rank];
        if (a->turn != b->turn)
            return a->turn - clock < b->turn - clock;
    }
    return a->hash < b->hash;
}

static void put(const order *by, uint32_t at, uint32_t number)
{
    by->queue->numbers[at] = number;
    by->all->rows[number].heap_at = at;
}

static void rise(const order *by, uint32_t at, uint32_t number)
{
    const uint32_t *numbers = by->queue->numbers;
    while (at > 0 && is_before(by, number, numbers[(at - 1) / 2])) {
        put(by, at, numbers[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(by, at, number);
}

static void sink(const order *by, uint32_t at, uint32_t number)
{
    const uint32_t *numbers = by->queue->numbers;
    for (;;) {
        uint32_t below = 2 * at + 1;
        if (below + 1 < by->queue->count &&
            is_before(by, numbers[below + 1], numbers[below]))
            below++;
        if (below >= by->queue->count || !is_before(by, numbers[below], number))
            break;
        put(by, at, numbers[below]);
        at = below;
    }
    put(by, at, number);
}

void ss_host_queue_add(ss_host_queue *queue, ss_host_table *all,
                       const ss_host_order *of, uint32_t number)
{
    const order by = {queue, all, of};
    rise(&by, queue->count++, number);
}

void ss_host_queue_remove(ss_host_queue *queue, ss_host_table *all,
                          const ss_host_order *of, uint32_t number)
{
    const order by = {queue, all, of};
    uint32_t at = all->rows[number].heap_at;
    uint32_t last = queue->numbers[--queue->count];
    if (last == number)
        return;
    rise(&by, at, last);
    sink(&by, all->rows[last].heap_at, last);
}
