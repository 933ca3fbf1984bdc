/*
 * log_end.h - the end of the log: where records are appended.
 *
 * Records gather in a block in memory, which is written to the last segment.
 * Four positions say how far each step has come. They are always in this
 * order, and all but the first are in the last segment or at its end:
 *
 *     durable  <=  group  <=  written  <=  tail
 *     | on the disk | being synced | in the kernel | in the block, in memory
 *
 * `group` is where the records begin that no sync has been started for. They
 * are one group: the next sync makes all of them durable, or all are removed.
 *
 * Nothing here waits, locks or knows about threads: append.c does that.
 */
#ifndef SS_LOG_LOG_END_H
#define SS_LOG_LOG_END_H

#include "log/folder.h"
#include "log/record.h"

enum {
    SS_BLOCK_BYTES = 256 << 10, /* the block is written once it has as many */
    SS_BLOCK_ROOM = SS_BLOCK_BYTES + SS_RECORD_HEADER_BYTES + SS_PAYLOAD_MAX
};

typedef struct ss_log_end {
    const ss_folder *folder;
    const ss_memory *memory;
    uint32_t log_id;
    uint64_t segment_bytes; /* a segment that has a record gets no longer */
    ss_positions segments;  /* where each starts; not empty in an open queue */
    int fd;                 /* of the last segment, or -1 */
    uint64_t durable, group, written, tail;
    uint64_t recorded; /* the `durable` that the log itself says; not above */
    uint64_t next_item, group_item; /* number of the next PUSH, at tail and at
                                       group */
    uint8_t *block;                 /* the bytes from written to tail */
} ss_log_end;

/* Sets up what the handle lends it, and allocates the block. SEENSET_ENOMEM
 * leaves something to free, too. */
int ss_log_end_init(ss_log_end *log, const ss_folder *folder,
                    const ss_memory *memory, uint32_t log_id,
                    uint64_t segment_bytes);
void ss_log_end_free(ss_log_end *log);

/* All of the log up to `end` is in its files and durable. */
void ss_log_end_set(ss_log_end *log, uint64_t end);

/* Where the last segment starts. */
uint64_t ss_log_end_segment(const ss_log_end *log);

/* How many bytes the block holds. */
size_t ss_log_end_block_bytes(const ss_log_end *log);

/* Must records of `bytes` bytes go to a new segment? */
bool ss_log_end_is_segment_full(const ss_log_end *log, size_t bytes);

/* Must the block be written before records of `bytes` bytes are appended? */
bool ss_log_end_is_block_full(const ss_log_end *log, size_t bytes);

/*
 * Where the payload of the next record goes, for which there is room. First
 * appends a DURABLE record if the block is empty and a sync has ended since
 * the last one.
 */
uint8_t *ss_log_end_payload(ss_log_end *log);

/* Appends the record whose payload was put there. */
void ss_log_end_append(ss_log_end *log, ss_record_type type,
                       size_t payload_bytes);

/* Writes the block to the segment. False and errno: it is kept. */
bool ss_log_end_write(ss_log_end *log);

/* What is written belongs to the sync that begins now; a new group follows. */
void ss_log_end_start_group(ss_log_end *log);

/*
 * Removes the group's records, of which no call has been answered, also from
 * the file: after a crash they would be read. False and errno: the file could
 * not be cut.
 */
bool ss_log_end_roll_back(ss_log_end *log);

/* Removes the block's records, and what a write that failed left of them in the
 * file. False and errno: the file could not be cut. */
bool ss_log_end_drop_block(ss_log_end *log);

/*
 * Creates the segment that starts at `start` and makes it durable; its
 * descriptor in *fd. Returns 0; SEENSET_EIO (there is no such file); or
 * SEENSET_EPOISONED (there may be one, and the disk may or may not have it).
 */
int ss_log_end_create_segment(const ss_folder *folder, uint32_t log_id,
                              uint64_t start, int *fd);

/* Continues in a new segment. All of the log must be durable. As above, or
 * SEENSET_ENOMEM. */
int ss_log_end_start_segment(ss_log_end *log);

#endif
