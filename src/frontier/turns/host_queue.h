/*
 * host_queue.h - hosts as a binary heap: by the time at which they may be
 * asked, or by rank and turn, and of equals by hash. Each knows where it is.
 *
 * A rank is that of a host's best item: higher ones come first. Each rank has a
 * clock of its own, from which the turns of its hosts are counted.
 */
#ifndef SS_FRONTIER_TURNS_HOST_QUEUE_H
#define SS_FRONTIER_TURNS_HOST_QUEUE_H

#include "frontier/turns/hosts.h"

enum {
    SS_HOST_RANKS = 10 /* 0 to 9 */
};

/* By what hosts are in order. */
typedef struct ss_host_order {
    uint32_t clocks[SS_HOST_RANKS];
    uint8_t *ranks; /* of each host, by its number; NULL: all have 0 */
} ss_host_order;

static inline unsigned ss_host_rank(const ss_host_order *order, uint32_t number)
{
    return order->ranks == NULL ? 0 : order->ranks[number];
}

typedef struct ss_host_queue {
    uint32_t *numbers; /* with room for all hosts */
    uint32_t count;
    bool is_by_turn; /* no turn is before the clock of its rank */
} ss_host_queue;

/* `order` counts only for a queue by turn. */
void ss_host_queue_add(ss_host_queue *queue, ss_host_table *all,
                       const ss_host_order *order, uint32_t number);
void ss_host_queue_remove(ss_host_queue *queue, ss_host_table *all,
                          const ss_host_order *order, uint32_t number);

#endif
