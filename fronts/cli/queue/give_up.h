/*
 * give_up.h - items that were handed out often enough go into another queue.
 *
 * They are pushed there with their data, and durably, before they are acked
 * here. So a crash in between leaves an item in both queues, and never in none.
 */
#ifndef QUEUE_GIVE_UP_H
#define QUEUE_GIVE_UP_H

#include <stdint.h>

#include "queue/access/access.h"

typedef struct give_up {
    uint64_t after;    /* deliveries; 0: nothing is given up */
    queue_access into; /* the other queue, which is made if there is none */
} give_up;

/*
 * Moves those of the leased items that were handed out `after` times or more.
 * The other leases come first in leases[], and *count becomes their number.
 * Returns 0, or COMMAND_ERROR after a message: an item that the other queue
 * does not take is left among the leases.
 */
int give_up_leases(const give_up *how, seenset_queue *queue, const char *dir,
                   uint64_t *leases, size_t *count);

#endif
