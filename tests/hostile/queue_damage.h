/*
 * queue_damage.h - what can happen to a queue's files.
 *
 * Four queues, and for each of their files: it is gone, shorter, longer, or
 * one of its bytes has changed.
 */
#ifndef QUEUE_DAMAGE_H
#define QUEUE_DAMAGE_H

#include <stdbool.h>

#include "queue_disk.h"

enum {
    DAMAGE_QUEUES = 4,
    DAMAGE_COUNT = 11,
    DAMAGE_SAID_BYTES = 64
};

typedef struct damage_queue {
    const char *name;
    disk *(*make)(void); /* each time the same, but for its log id */
} damage_queue;

extern const damage_queue damage_queues[DAMAGE_QUEUES];

/* The file is gone. */
void damage_vanish(disk *on, const char *name);

/* Does damage number `which` to a file and says so; false if the file has too
 * few bytes for it. */
bool damage_file(disk *on, const char *name, int which,
                 char said[DAMAGE_SAID_BYTES]);

#endif
