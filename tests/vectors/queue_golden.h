/*
 * queue_golden.h - queues as they are made for golden folders, and read from
 * them. What they must answer is in queue_golden.c.
 */
#ifndef QUEUE_GOLDEN_H
#define QUEUE_GOLDEN_H

#include "queue_model.h"

/* What happened to it beside the past that all have. */
typedef enum golden_past {
    GOLDEN_PLAIN,
    GOLDEN_VISITS,  /* priorities, and URLs that come again */
    GOLDEN_UNTRIED, /* an item is given back untried, GOLDEN_FEW times */
    GOLDEN_TURNS,   /* an item is given back GOLDEN_MANY times */
    GOLDEN_DELAYED, /* items are given back with delays, to two files */
    GOLDEN_HOSTS,   /* it is polite, and hosts are set */
    GOLDEN_MOVED    /* the same, and items are moved in its log */
} golden_past;

enum {
    GOLDEN_FEW = 5,
    GOLDEN_MANY = 300, /* more than a lease's lowest byte can count */
    GOLDEN_ITEM = 30   /* the item's number */
};

typedef struct golden_queue {
    const char *name; /* of its folder */
    seenset_options set;
    int exact;
    golden_past past;
} golden_queue;

extern const golden_queue golden_queues[];
extern const size_t golden_queue_count;

/* Of those that are keyed. */
extern const uint8_t golden_secret[SEENSET_SECRET_BYTES];

/* Opened as it was made, or with no more than has to be given. */
seenset_queue *golden_open(const golden_queue *of, disk *on, bool is_made);

/* Pushes the URL of a number; as seenset_queue_push answers. */
int golden_push(seenset_queue *queue, int number);

/* Made now, with the past that all of them have. */
disk *golden_make(const golden_queue *of);

/* Into a folder of its name, and from its golden folder. */
void golden_store(const golden_queue *of, const char *folder);
disk *golden_load(const golden_queue *of);

/* The one of this name. */
const golden_queue *golden_named(const char *name);

#endif
