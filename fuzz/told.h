/*
 * told.h - which items there are, as a queue hands them out, or as its log
 * says.
 *
 * The log is read by a reader that shares nothing with the library but the
 * checksum: docs/queue.md says what a record is.
 */
#ifndef TOLD_H
#define TOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "queue_disk.h"

enum {
    MOST_ITEMS = 4096
};

/* Items by number, in no order, each with its priority. */
typedef struct told_items {
    uint64_t numbers[MOST_ITEMS];
    uint8_t priorities[MOST_ITEMS];
    size_t count;
    bool is_whole; /* these are all that there are */
} told_items;

bool told_has(const told_items *in, uint64_t number);

void told_add(told_items *to, uint64_t number, uint64_t priority);

/* Ends the program if one is in a and not in b (lost), or the other way. */
void told_compare(const told_items *a, const told_items *b, const char *lost,
                  const char *added);

/* The items of the log of a queue that begins at 0, less those it has acked. */
void told_read(told_items *told, disk *folder);

#endif
