/* queue.c - see queue.h */
#include "visit/turns/queue.h"

typedef struct order {
    host_queue *queue;
    host_table *all;
    uint32_t clock;
} order;

static bool is_before(const order *by, uint32_t first, uint32_t second)
{
    const host_row *a = &by->all->rows[first], *b = &by->all->rows[second];
    if (!by->queue->is_by_turn && a->ready_ms != b->ready_ms)
        return a->ready_ms < b->ready_ms;
    uint32_t turn_a = a->turn - by->clock, turn_b = b->turn - by->clock;
    if (by->queue->is_by_turn && turn_a != turn_b)
        return turn_a < turn_b;
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

void host_queue_add(host_queue *queue, host_table *all, uint32_t clock,
                    uint32_t number)
{
    const order by = {queue, all, clock};
    rise(&by, queue->count++, number);
}

void host_queue_remove(host_queue *queue, host_table *all, uint32_t clock,
                       uint32_t number)
{
    const order by = {queue, all, clock};
    uint32_t at = all->rows[number].heap_at;
    uint32_t last = queue->numbers[--queue->count];
    if (last == number)
        return;
    rise(&by, at, last);
    sink(&by, all->rows[last].heap_at, last);
}
