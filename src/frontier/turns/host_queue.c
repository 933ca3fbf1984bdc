/* host_queue.c - see host_queue.h */
#include "frontier/turns/host_queue.h"

/* ---- pieces ---- */

static uint32_t pieces_for(uint32_t hosts)
{
    return (hosts + SS_PIECE_CELLS - 1) / SS_PIECE_CELLS;
}

bool ss_host_queue_reserve(ss_host_queue *queue,
                           const seenset_allocator *memory, uint32_t hosts)
{
    void *pieces = queue->pieces;
    if (!ss_cells_reserve_pointers(memory, &pieces, &queue->piece_room,
                                   pieces_for(hosts)))
        return false;
    queue->pieces = pieces;
    return true;
}

static void give_piece(ss_host_order *order, ss_heap_piece *piece)
{
    piece->next = order->unused;
    order->unused = piece;
}

/* One that was in a heap before, or the next that never was. */
static ss_heap_piece *take_piece(ss_host_order *order)
{
    ss_heap_piece *piece = order->unused;
    if (piece == NULL)
        return (ss_heap_piece *)(void *)
            order->numbers.pieces[order->pieces_used++];
    order->unused = piece->next;
    return piece;
}

/* One piece of each heap may have room that the others cannot use. */
bool ss_host_order_reserve(ss_host_order *order,
                           const seenset_allocator *memory, uint32_t hosts)
{
    uint32_t pieces = pieces_for(hosts) + SS_HOST_QUEUES;
    order->numbers.cell_bytes = sizeof(uint32_t);
    return ss_cells_reserve(&order->numbers, memory, pieces * SS_PIECE_CELLS);
}

void ss_host_queue_free(ss_host_queue *queue, const seenset_allocator *memory)
{
    ss_cells_free_pointers(memory, queue->pieces, queue->piece_room);
    *queue = (ss_host_queue){.is_by_turn = queue->is_by_turn};
}

void ss_host_order_free(ss_host_order *order, const seenset_allocator *memory)
{
    ss_cells_free(&order->numbers, memory);
    order->unused = NULL;
    order->pieces_used = 0;
}

uint64_t ss_host_order_bytes(const ss_host_order *order)
{
    return ss_cells_bytes(&order->numbers);
}

uint64_t ss_host_queue_bytes(const ss_host_queue *queue)
{
    return queue->piece_room * sizeof *queue->pieces;
}

/* ---- the heap ---- */

typedef struct heap {
    ss_host_queue *queue;
    const ss_host_table *all;
    const ss_host_order *order;
} heap;

/* By what a host is in order: lower is first, and of equals the lower hash. */
typedef struct rating {
    uint64_t key, hash;
} rating;

static rating rate(const heap *in, uint32_t number)
{
    const ss_host_row *row = ss_hosts_row(in->all, number);
    uint32_t lead = row->turn - in->order->clocks[row->rank];
    uint64_t by_turn = (uint64_t)(SS_HOST_RANKS - row->rank) << 32 | lead;
    return (rating){in->queue->is_by_turn ? by_turn : row->ready_ms, row->hash};
}

static bool is_before(rating a, rating b)
{
    return a.key != b.key ? a.key < b.key : a.hash < b.hash;
}

static void put(const heap *in, uint32_t at, uint32_t number)
{
    in->queue->pieces[at / SS_PIECE_CELLS]->numbers[at % SS_PIECE_CELLS] =
        number;
    ss_hosts_row(in->all, number)->heap_at = at & ((1u << 28) - 1);
}

static void rise(const heap *in, uint32_t at, uint32_t number)
{
    const rating own = rate(in, number);
    while (at > 0) {
        uint32_t above = ss_host_queue_at(in->queue, (at - 1) / SS_HEAP_FAN);
        if (!is_before(own, rate(in, above)))
            break;
        put(in, at, above);
        at = (at - 1) / SS_HEAP_FAN;
    }
    put(in, at, number);
}

/* The place below a place of the first host there that is before `own`; or that
 * place itself, if there is none. */
static uint32_t first_below(const heap *in, uint32_t at, rating own)
{
    uint32_t below = SS_HEAP_FAN * at + 1, best = at;
    for (uint32_t i = 0; i < SS_HEAP_FAN && below < in->queue->count; i++) {
        const rating its = rate(in, ss_host_queue_at(in->queue, below));
        if (is_before(its, own)) {
            own = its;
            best = below;
        }
        below++;
    }
    return best;
}

static void sink(const heap *in, uint32_t at, uint32_t number)
{
    uint32_t below;
    const rating own = rate(in, number);
    while ((below = first_below(in, at, own)) != at) {
        put(in, at, ss_host_queue_at(in->queue, below));
        at = below;
    }
    put(in, at, number);
}

void ss_host_queue_add(ss_host_queue *queue, const ss_host_table *all,
                       ss_host_order *order, uint32_t number)
{
    const heap in = {queue, all, order};
    uint32_t at = queue->count++;
    if (at % SS_PIECE_CELLS == 0)
        queue->pieces[at / SS_PIECE_CELLS] = take_piece(order);
    rise(&in, at, number);
}

void ss_host_queue_remove(ss_host_queue *queue, const ss_host_table *all,
                          ss_host_order *order, uint32_t number)
{
    const heap in = {queue, all, order};
    uint32_t at = ss_hosts_row(all, number)->heap_at;
    uint32_t end = --queue->count, last = ss_host_queue_at(queue, end);
    if (end % SS_PIECE_CELLS == 0)
        give_piece(order, queue->pieces[end / SS_PIECE_CELLS]);
    if (last == number)
        return;
    rise(&in, at, last);
    sink(&in, ss_hosts_row(all, last)->heap_at, last);
}
