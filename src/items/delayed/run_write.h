/*
 * run_write.h - a new run: all items by due time, then all once more by their
 * numbers. It has a name, durably, when ss_run_finish has succeeded.
 */
#ifndef SS_ITEMS_DELAYED_RUN_WRITE_H
#define SS_ITEMS_DELAYED_RUN_WRITE_H

#include "items/delayed/run.h"

typedef struct ss_run_writer {
    const ss_run_files *files;
    ss_run_name name;
    ss_run_order order;
    int fd;
    uint8_t block[SS_RUN_BLOCK_BYTES];
    unsigned in_block; /* records */
    uint64_t place;    /* of the block in the file */
    uint64_t before;   /* 1 and the last item before the block */
    uint64_t by_item;  /* records that were put by item */
} ss_run_writer;

/* Returns 0 or SEENSET_EIO. After success call ss_run_finish or ss_run_abort.
 */
int ss_run_begin(ss_run_writer *writer, const ss_run_files *files,
                 uint64_t number, unsigned lane);

/* Puts the next item of the order. 0 or SEENSET_EIO. */
int ss_run_put(ss_run_writer *writer, const ss_delay *delay);

/* All were put by due time; from now on they are by number. As ss_run_put. */
int ss_run_turn_to_items(ss_run_writer *writer);

/* Both orders are whole. Returns 0, SEENSET_EIO (nothing is left),
 * SEENSET_EDAMAGED (one order had more items; nothing is left, either) or
 * SEENSET_EPOISONED. */
int ss_run_finish(ss_run_writer *writer);
void ss_run_abort(ss_run_writer *writer);

#endif
