/*
 * run.h - delayed items in a sealed file: a run.
 *
 * Items that were given back with a delay need no memory until they are due.
 * So when a lane has many of them, they are written to a run and forgotten. A
 * run is never written again. It is a cache of the log, like a state: it is
 * written whole, synced, and then named by the states (state.h). The state also
 * has what changes: how many of its items are taken, and what a reboot adds to
 * their due times (moment.h).
 *
 *     delayed-<number>, little-endian, in blocks of 4096 bytes
 *        header        | by due time | ... | by item | ... |
 *
 *     header                             block of records
 *      0  magic "SEENDLY\1"              0  127 records of 32 bytes
 *      8  log id (4)                  4064  number of the run (8)
 *     12  lane (4)                    4072  which block of the file (8)
 *     16  number (8)                  4080  by item: 1 + the last item of the
 *     24  records (8)                       block before (8); else 0
 *     32  lowest position (8)         4088  zero (4)
 *   4092  crc32c of all before (4)    4092  crc32c of all before (4)
 *
 *     record: item (8), position of its push in the log (8), due in ns of the
 *     steady clock, signed (8), deliveries (4), lane (1), turn of its lease (3)
 *
 * All records are there twice: by due time, and by the number of the item. From
 * the first part they are handed out, from the front to the end. The other one
 * is for a walk over the log in its order, which asks for each item whether it
 * is delayed. Both are read and written in sequence. Unused records are zero.
 */
#ifndef SS_ITEMS_DELAYED_RUN_H
#define SS_ITEMS_DELAYED_RUN_H

#include "log/folder.h"

enum {
    SS_RUN_BLOCK_BYTES = 4096,
    SS_RUN_RECORD_BYTES = 32,
    SS_RUN_BLOCK_RECORDS = 127
};

typedef enum ss_run_order {
    SS_RUN_BY_DUE,
    SS_RUN_BY_ITEM
} ss_run_order;

/* An item that waits until it is due. */
typedef struct ss_delay {
    uint64_t item, position;
    int64_t due_ns; /* below 0: in another boot, long ago */
    uint32_t deliveries, turn;
} ss_delay;

/* Is it handed out before the other one? */
static inline bool ss_delay_is_before(const ss_delay *a, const ss_delay *b)
{
    return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->item < b->item;
}

/* What a run is; its name is its number. */
typedef struct ss_run_name {
    uint64_t number, count, floor;
    unsigned lane;
} ss_run_name;

/* Where runs are. */
typedef struct ss_run_files {
    const ss_folder *folder;
    const ss_memory *memory;
    uint32_t log_id;
    bool stay_open; /* others may remove them while they are read */
} ss_run_files;

typedef struct ss_run {
    ss_run_name name;
    uint64_t next;    /* records before it, by due time, are taken */
    int64_t shift_ns; /* is added to due times */
    bool has_first;   /* the record at `next` was read: */
    ss_delay first;
    int fd;             /* -1: it is opened for each block that is read */
    uint8_t *blocks[2]; /* what was read last in each order, */
    uint64_t read[2];   /* and which block of the file that is; 0: none */
} ss_run;

/* Writes "delayed-<number>". */
void ss_run_file_name(char name[SS_FOLDER_NAME_BYTES], uint64_t number);

/* Opens the run of this name, of which nothing is taken. Returns 0,
 * SEENSET_EDAMAGED (it is not there, or another one), SEENSET_EIO or
 * SEENSET_ENOMEM; then there is nothing to close. */
int ss_run_open(ss_run *run, const ss_run_files *files,
                const ss_run_name *name);
void ss_run_close(ss_run *run, const ss_run_files *files);

/* Reads a record, its due time as of now. Errors here and below:
 * SEENSET_EDAMAGED, SEENSET_EIO. */
int ss_run_read(ss_run *run, const ss_run_files *files, ss_run_order order,
                uint64_t index, ss_delay *out);

/* The first record by item that has this number or a higher one; the number of
 * records if none has. Cost: a step if numbers ascend from call to call. */
int ss_run_find(ss_run *run, const ss_run_files *files, uint64_t item,
                uint64_t *index);

/* What the block of a record by item, which was read last, says of the block
 * before it: 1 and its last item, or 0. */
uint64_t ss_run_before(const ss_run *run);

/* The first record by due time that is not taken, and due after now. */
int ss_run_find_due(ss_run *run, const ss_run_files *files, uint64_t now_ns,
                    uint64_t *index);

/* Reads the record at `next`, unless it was. */
int ss_run_need_first(ss_run *run, const ss_run_files *files);

/* How many blocks each order takes. */
static inline uint64_t ss_run_blocks(uint64_t count)
{
    return count / SS_RUN_BLOCK_RECORDS + (count % SS_RUN_BLOCK_RECORDS != 0);
}

/* ---- for run_write.c ---- */

void ss_run_put_header(const ss_run_files *files, const ss_run_name *name,
                       uint8_t *block);
void ss_run_put_record(uint8_t *bytes, const ss_delay *delay, unsigned lane);

/* Ends a block of records. */
void ss_run_put_end(uint8_t *block, uint64_t number, uint64_t place,
                    uint64_t before);

#endif
