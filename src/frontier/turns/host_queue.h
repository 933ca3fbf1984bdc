/*
 * host_queue.h - hosts as a heap: by the time at which they may be asked, or by
 * rank and turn, and of equals by hash. Each knows where it is.
 *
 * A rank is that of a host's best item: higher ones come first. Each rank has a
 * clock of its own, from which the turns of its hosts are counted.
 *
 * A heap has four hosts below each, so that it has half as many levels as one
 * with two: the rows of a level are read at a time, but levels one after
 * another.
 *
 * A host is in one heap at most. So all heaps share pieces of memory, and each
 * has as many as it needs now: together they take 4 bytes for each host.
 */
#ifndef SS_FRONTIER_TURNS_HOST_QUEUE_H
#define SS_FRONTIER_TURNS_HOST_QUEUE_H

#include "frontier/turns/hosts.h"

enum {
    SS_HOST_RANKS = 10, /* 0 to 9 */
    SS_HOST_QUEUES = 3, /* that share pieces */
    SS_HEAP_FAN = 4
};

/* A piece of a heap; or one that is unused, and the next of these. */
typedef union ss_heap_piece {
    uint32_t numbers[SS_PIECE_CELLS];
    union ss_heap_piece *next;
} ss_heap_piece;

/* By what hosts are in order, and what heaps share. */
typedef struct ss_host_order {
    uint32_t clocks[SS_HOST_RANKS];
    ss_cells numbers;      /* the pieces of all heaps: */
    uint32_t pieces_used;  /* so many were ever in one, */
    ss_heap_piece *unused; /* and these are in none now */
} ss_host_order;

typedef struct ss_host_queue {
    ss_heap_piece **pieces;
    uint32_t piece_room; /* pointers */
    uint32_t count;
    bool is_by_turn; /* no turn is before the clock of its rank */
} ss_host_queue;

/* The number at a place of the heap. */
static inline uint32_t ss_host_queue_at(const ss_host_queue *queue, uint32_t at)
{
    return queue->pieces[at / SS_PIECE_CELLS]->numbers[at % SS_PIECE_CELLS];
}

/* Makes room in a heap for so many hosts; and pieces for so many in all heaps.
 * False: no memory. */
bool ss_host_queue_reserve(ss_host_queue *queue,
                           const seenset_allocator *memory, uint32_t hosts);
bool ss_host_order_reserve(ss_host_order *order,
                           const seenset_allocator *memory, uint32_t hosts);

/* Of a heap its pointers are freed, and with the order the pieces of all. */
void ss_host_queue_free(ss_host_queue *queue, const seenset_allocator *memory);
void ss_host_order_free(ss_host_order *order, const seenset_allocator *memory);

/* Of the pieces of all heaps, and of the pointers of one. */
uint64_t ss_host_order_bytes(const ss_host_order *order);
uint64_t ss_host_queue_bytes(const ss_host_queue *queue);

/* Clocks count only for a queue by turn. */
void ss_host_queue_add(ss_host_queue *queue, const ss_host_table *all,
                       ss_host_order *order, uint32_t number);
void ss_host_queue_remove(ss_host_queue *queue, const ss_host_table *all,
                          ss_host_order *order, uint32_t number);

#endif
