/*
 * look.h - the figures of a queue that others may have open.
 */
#ifndef QUEUE_ACCESS_LOOK_H
#define QUEUE_ACCESS_LOOK_H

#include "queue/access/access.h"

typedef struct queue_look {
    seenset_queue_stats stats;
    seenset_stats set;
} queue_look;

/* Takes no lock. Returns 0, or COMMAND_ERROR after a message. */
int queue_look_at(queue_look *out, const queue_access *access);

#endif
