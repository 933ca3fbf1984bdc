/* move.c - see move.h */
#include "frontier/turns/move.h"

/* ---- lists ---- */

static void *move_list(void *list, uint32_t room, ss_memory_move *move,
                       void *context)
{
    return room == 0 ? list : move(context, list, room * sizeof(void *));
}

static void move_cells(ss_cells *cells, ss_memory_move *move, void *context)
{
    cells->pieces = move_list(cells->pieces, cells->piece_room, move, context);
}

static void move_queue(ss_host_queue *queue, ss_memory_move *move,
                       void *context)
{
    queue->pieces = move_list(queue->pieces, queue->piece_room, move, context);
}

void ss_turns_move_lists(ss_turns *it, ss_memory_move *move, void *context)
{
    move_cells(&it->all.rows, move, context);
    move_cells(&it->all.buckets, move, context);
    move_cells(&it->order.numbers, move, context);
    move_queue(&it->waits, move, context);
    move_queue(&it->ready, move, context);
    move_queue(&it->idle, move, context);
}

/* ---- pieces ---- */

static void *move_alone(ss_cells *cells, uint32_t number, ss_memory_move *move,
                        void *context)
{
    unsigned char **piece = &cells->pieces[number];
    if (number < ss_cells_alone(cells))
        *piece = move(context, *piece, ss_cells_piece_bytes(cells));
    return *piece;
}

bool ss_turns_move_piece(ss_turns *it, uint64_t number, ss_memory_move *move,
                         void *context)
{
    ss_cells *rows = &it->all.rows, *buckets = &it->all.buckets;
    uint32_t row_pieces = ss_cells_alone(rows);
    if (number < row_pieces)
        (void)move_alone(rows, (uint32_t)number, move, context);
    else if (number - row_pieces < ss_cells_alone(buckets))
        (void)move_alone(buckets, (uint32_t)(number - row_pieces), move,
                         context);
    else
        return false;
    return true;
}

/* ---- heaps ---- */

/* Whether the piece is that of a place of the heap. */
static bool is_at(const ss_host_queue *queue, uint32_t place,
                  const ss_heap_piece *piece)
{
    return place < queue->count &&
           queue->pieces[place / SS_PIECE_CELLS] == piece;
}

/* Where a heap has the piece: its first host knows its own place. NULL: it is
 * in none, and what is in it is not a host. */
static ss_heap_piece **find_use(ss_turns *it, const ss_heap_piece *piece)
{
    ss_host_queue *const queues[] = {&it->waits, &it->ready, &it->idle};
    uint32_t first = piece->numbers[0];
    if (first >= it->all.used)
        return NULL;
    uint32_t place = ss_turns_host(it, first)->heap_at;
    for (uint32_t i = 0; i < SS_HOST_QUEUES; i++) {
        if (is_at(queues[i], place, piece))
            return &queues[i]->pieces[place / SS_PIECE_CELLS];
    }
    return NULL;
}

/* The list of those that are in no heap is made again, in another order: which
 * of them is taken next makes no difference. */
void ss_turns_move_heaps(ss_turns *it, ss_memory_move *move, void *context)
{
    ss_host_order *order = &it->order;
    uint32_t pieces = order->numbers.piece_count;
    order->unused = NULL;
    for (uint32_t i = 0; i < pieces; i++) {
        bool was_used = i < order->pieces_used;
        ss_heap_piece *piece = (void *)order->numbers.pieces[i];
        ss_heap_piece **use = was_used ? find_use(it, piece) : NULL;
        piece = move_alone(&order->numbers, i, move, context);
        if (use != NULL) {
            *use = piece;
        } else if (was_used) {
            piece->next = order->unused;
            order->unused = piece;
        }
    }
}
