/*
 * ask.h - a batch of keys, looked for in the filters of a file of another
 * system, each in all row groups of the column; or added to the set of one.
 */
#ifndef FOREIGN_ASK_H
#define FOREIGN_ASK_H

#include "foreign/foreign_file.h"
#include "foreign/funnel.h"
#include "stream/batch.h"
#include "stream/output.h"

typedef struct foreign_ask {
    foreign_file of;
    funnel funnel;   /* --funnel; none: foreign_ask_open takes the usual one; it
                        keeps: */
    bool is_changed; /* the file will be saved again */
    bool has_block;  /* --block */
    uint8_t block[SEENSET_SECRET_BYTES]; /* of it, as the key of a hash */
    funnel_room room;
    seenset *set;      /* foreign_ask_add: what keys are added to */
    bool has_gaps;     /* any key may be there */
    bool wants_groups; /* they are kept for each key: */
    uint8_t *groups;   /* of the keys of a batch, a byte for each filter */
    size_t group_room;
    size_t asked; /* keys of the batch, so far */
} foreign_ask;

/* Reads the hash of a block, 64 digits as it is shown: its bytes are those from
 * the last one back, of which the first 16 are the key. False: it is none. */
bool foreign_ask_block(foreign_ask *out, const char *text);

/* Opens the file and its column. 0, or COMMAND_ERROR after a message. */
int foreign_ask_open(foreign_ask *out, const char *name);
void foreign_ask_close(foreign_ask *with);

/* Stores the answers, as set_batch_has. A negative number: an error, which was
 * reported. */
int foreign_ask_batch(foreign_ask *with, batch *keys);

/* Adds one key, in the bytes that the filter has of it. Returns an answer, or a
 * negative number. The context is a foreign_ask. */
int foreign_ask_add(void *context, const char *key, size_t len);

/* Prints the lines whose keys may be there, after the row groups and a TAB.
 * Returns how many; or -1: errno. */
int64_t foreign_ask_print(const foreign_ask *with, batch *keys, output *out);

#endif
