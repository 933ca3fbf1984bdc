/*
 * queue.h - the inside of the queue's handle, for the files that share it:
 * queue_tail.c (appending and the disk), queue_push.c, queue_pop.c,
 * queue_checkpoint.c, queue_recover.c and queue.c.
 *
 * One mutex guards everything. Only waiting for the disk happens without it,
 * and one thread waits for all: whoever needs something durable while nobody
 * is syncing, syncs for everybody who came before.
 *
 * The log's end in positions, always in this order:
 *
 *     durable  <=  group  <=  written  <=  tail
 *     | on the disk | syncing | in the kernel | in the block, in memory
 *
 * `group` is where the records begin that no sync has been started for. Under
 * durability `each` their URLs are in flight and their callers wait; if a
 * write fails they all are taken back, to the position `group`.
 */
#ifndef SS_QUEUE_H
#define SS_QUEUE_H

#include <pthread.h>

#include "queue/directory.h"
#include "queue/in_flight.h"
#include "queue/leases.h"
#include "queue/log_reader.h"
#include "queue/manifest.h"
#include "queue/record.h"
#include "queue/state.h"
#include "seenset/queue.h"

enum {
    SS_BLOCK_BYTES = 256 << 10, /* written once it holds that much */
    SS_BLOCK_ROOM = SS_BLOCK_BYTES + SS_RECORD_HEADER_BYTES + SS_PAYLOAD_MAX,
    SS_CHUNK_PUSHES = 512 /* of push_many at a time */
};

/* What a queue is opened for. */
typedef enum ss_purpose {
    SS_FOR_USE,
    SS_FOR_REPAIR, /* a log that begins later than its snapshots will do */
    SS_FOR_LOOK    /* without the lock, and nothing is changed */
} ss_purpose;

/* A call that waits for its records to be durable. */
typedef struct ss_waiter {
    uint64_t end;
    int error; /* 1: not settled yet */
    int saved_errno;
    struct ss_waiter *next;
} ss_waiter;

/* A snapshot that recovery could start from. */
typedef struct ss_snapshot {
    uint64_t position, floor;
} ss_snapshot;

struct seenset_queue {
    ss_memory memory;
    ss_directory folder;
    ss_manifest manifest;
    int lock_fd;
    seenset_queue_durability durability;
    uint64_t interval_ns, lease_ns, snapshot_bytes;
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* a sync ended, a waiter was settled */

    /* the log's end */
    ss_positions segments; /* where each starts */
    int tail_fd;
    uint64_t durable, group, written, tail;
    uint64_t marked; /* `durable` as the log itself says */
    uint64_t next_item, group_item;
    uint8_t *block;      /* the bytes from written to tail */
    uint64_t take_backs; /* how often a group was taken back */
    int take_back_errno; /* why, the last time */
    bool is_syncing;
    bool write_failed; /* the block could not be written yet */
    int poison;        /* errno of a failed sync, or 0 */
    ss_waiter *waiters;
    ss_in_flight inflight[2]; /* of the group, and of the sync under way */
    unsigned filling;         /* which of the two is the group's */
    bool is_dirty;            /* something changed since the last state */

    /* the set and the items */
    seenset *set;
    uint64_t set_capacity, set_added; /* kept here: reading them is slow */
    bool set_refuses;
    ss_leases leases;
    ss_ranges done; /* acked items that the reader has yet to pass */
    uint64_t read_item;
    ss_log_reader reader; /* to the items never handed out */
    ss_log_reader again;  /* to those handed out again */
    uint64_t unacked_items;
    uint64_t dropped_items, refused_items, not_url_items;

    /* checkpoints */
    bool is_checkpointing, checkpoint_is_due;
    ss_snapshot states[2], sets[2]; /* the newer first */
    unsigned state_count, set_count;
    uint64_t failed_checkpoints, torn_bytes;

    /* durability `interval` */
    pthread_t flusher;
    pthread_cond_t wake_flusher;
    bool has_flusher, is_closing;
    uint64_t opened_ns, opened_items;
};

/* Nanoseconds of the steady clock. */
static inline uint64_t ss_queue_now(const seenset_queue *queue)
{
    return ss_clock_steady_ns(queue->folder.io->clock);
}

/* ---- queue_tail.c: all with the mutex held ---- */

/*
 * Makes sure that records of `bytes` bytes in all, at most
 * SS_BLOCK_BYTES or one record, can be appended without a write. May let go
 * of the mutex for a while. 0, SEENSET_EIO, SEENSET_EPOISONED.
 */
int ss_append_reserve(seenset_queue *queue, size_t bytes);

/* Room for the payload of the next record, which was reserved. */
uint8_t *ss_append_payload(seenset_queue *queue);

/* Appends the record whose payload was put there. */
void ss_append_append(seenset_queue *queue, ss_record_type type,
                      size_t payload_bytes);

/*
 * Was a group taken back since take_backs was `before`? What was appended in
 * between and not waited for may have been in it. Then SEENSET_EIO and errno,
 * else 0.
 */
int ss_append_kept(const seenset_queue *queue, uint64_t before);

/* Waits until the log is durable up to `end`. 0, SEENSET_EIO, EPOISONED. */
int ss_append_wait(seenset_queue *queue, uint64_t end);

/*
 * Adds to the set what is durable and was not added for want of memory. 0, or
 * what seenset_add_hash says; then no URL may be pushed and no set be saved.
 */
int ss_append_settle(seenset_queue *queue);

/* Makes all of it durable without letting go of the mutex at the end. */
int ss_append_drain(seenset_queue *queue);

/* Hands the block to the kernel. */
int ss_append_write(seenset_queue *queue);

/* Writes and syncs what there is; lets go of the mutex if may_unlock. */
int ss_append_commit(seenset_queue *queue, bool may_unlock);

/* A sync failed: nothing the kernel says about these files counts any more. */
int ss_append_poison(seenset_queue *queue);

/* Creates the segment at `start` and makes it durable; its fd, or an error. */
int ss_append_create_segment(const ss_directory *folder, uint32_t log_id,
                             uint64_t start, int *fd);

/* What lies before this position may be read from the files. */
uint64_t ss_append_readable(const seenset_queue *queue);

/* ---- queue_checkpoint.c ---- */

/* Writes the state and, if with_set, the set. Mutex held before and after. */
int ss_checkpoint(seenset_queue *queue, bool with_set);

/* The same if it is time, errors kept to itself. */
void ss_checkpoint_if_due(seenset_queue *queue);

/* ---- queue_recover.c ---- */

/*
 * Brings an existing queue's set, state and log end into the handle.
 */
int ss_recover(seenset_queue *queue, const ss_listing *listing,
               bool keep_leases, ss_purpose purpose,
               seenset_queue_report *report);

/* Writes file name, offset and reason into *report; returns error. */
int ss_report_refuse(seenset_queue_report *report, int error, const char *file,
                     uint64_t offset, const char *reason);

/* ---- queue.c ---- */

/* seenset_queue_open over any table of file operations. */
int ss_queue_open(const ss_io *io, seenset_queue **out, const char *dir,
                  const seenset_queue_options *options);

/*
 * The same for another purpose. One that was opened to look at can be asked
 * for its figures, and is given back with ss_queue_free.
 */
int ss_queue_open_as(const ss_io *io, seenset_queue **out, const char *dir,
                     const seenset_queue_options *options, ss_purpose purpose);

/* Gives everything back and writes nothing. errno stays as it was. */
void ss_queue_free(seenset_queue *queue);

/*
 * Adds hashes to the set, once their records cannot be lost any more. Stops at
 * the first that the set has no memory or no further table for: *done were
 * added. One that a full set refuses counts as added.
 */
int ss_queue_add_hashes(seenset_queue *queue, const uint64_t *hashes,
                        size_t count, size_t *done);

/* ---- queue_look.c ---- */

/* seenset_queue_look over any table of file operations. */
int ss_queue_look(const ss_io *io, const char *dir, seenset_queue_stats *out,
                  seenset_queue_report *report);

/* ---- queue_verify.c ---- */

int ss_queue_verify(const ss_io *io, const char *dir,
                    seenset_queue_report *report);
int ss_queue_repair(const ss_io *io, const char *dir,
                    seenset_queue_report *report);

#endif
