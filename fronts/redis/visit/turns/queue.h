/*
 * queue.h - hosts as a binary heap: by the time at which they may be asked, or
 * by their turn, and of equals by hash. Each knows where it is.
 */
#ifndef TURNS_QUEUE_H
#define TURNS_QUEUE_H

#include "visit/turns/hosts.h"

typedef struct host_queue {
    uint32_t *numbers; /* with room for all hosts */
    uint32_t count;
    bool is_by_turn; /* turns are counted from `clock`, which is before all */
} host_queue;

/* `clock` counts only for a queue by turn. */
void host_queue_add(host_queue *queue, host_table *all, uint32_t clock,
                    uint32_t number);
void host_queue_remove(host_queue *queue, host_table *all, uint32_t clock,
                       uint32_t number);

#endif
