/*
 * seenset/queue.h - a crawler's to-visit queue that survives anything.
 *
 *     seenset_queue *queue;
 *     seenset_queue_item item = {0};
 *     seenset_queue_open(&queue, "crawl", NULL);
 *     seenset_queue_push(queue, url, strlen(url), NULL, 0);  // 1 new, 0 seen
 *     while (seenset_queue_pop(queue, &item) == 1) {
 *         fetch(item.url, item.url_len);       // and push the links it has
 *         seenset_queue_ack(queue, item.lease);
 *     }
 *     seenset_queue_item_free(&item);
 *     seenset_queue_close(queue);
 *
 * push drops a URL that was ever pushed before (or, at the false-positive
 * rate of the set, one that was not) and appends any other; pop hands out the
 * oldest under a lease; ack ends it. An item whose lease ran out, that was
 * nacked, or that was popped before a restart and never acked is handed out
 * again: delivery is at least once, and no item is ever lost.
 *
 * A queue is a folder, described in docs/queue.md. Memory: the set, a few MiB
 * of buffers and about 100 bytes for each item popped and not yet acked,
 * however long the queue.
 *
 * Threads. Every call on an open queue (push, push_many, pop, ack, ack_many,
 * nack, extend, save_leases, sync, checkpoint, get_stats) may run in any number
 * of threads at once, beside itself and beside each other; only close must have
 * the queue to itself, and nothing may come after it. An item is one thread's
 * at a time: pop fills it in and item_free frees it. One process, and one
 * handle in it, has a queue open at a time; open, verify and repair answer
 * SEENSET_EINUSE while another has it, and look works all the same. Errors are
 * those of seenset/error.h; after SEENSET_EIO, errno says which way. After an
 * error a call has changed nothing, unless it says so.
 */
#ifndef SEENSET_QUEUE_H
#define SEENSET_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "seenset/error.h"
#include "seenset/seenset.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct seenset_queue seenset_queue;

#define SEENSET_QUEUE_MAX_ITEM_BYTES (UINT32_C(1) << 20) /* URL and data */

/* When an answer is given: what a crash after it can undo. */
typedef enum seenset_queue_durability {
    SEENSET_QUEUE_DURABILITY_DEFAULT = 0,
    /* Answers wait until the disk has what they rest on. Nothing is lost. */
    SEENSET_QUEUE_DURABILITY_EACH = 1,
    /* The disk has it interval_seconds later at the latest: that much is lost
     * if the machine or the process dies. */
    SEENSET_QUEUE_DURABILITY_INTERVAL = 2,
    /* The disk has it after sync, close and each checkpoint. */
    SEENSET_QUEUE_DURABILITY_NONE = 3
} seenset_queue_durability;

/* What is done to a URL before it is looked up and stored. */
typedef enum seenset_queue_normalise {
    SEENSET_QUEUE_NORMALISE_DEFAULT = 0, /* a new queue: off; else as it is */
    SEENSET_QUEUE_NORMALISE_OFF = 1,     /* nothing: any bytes will do */
    SEENSET_QUEUE_NORMALISE_URL = 2 /* as browsers do; SEENSET_EURL if no URL */
} seenset_queue_normalise;

/* What verify and repair found; also filled in by an open that fails. */
typedef struct seenset_queue_report {
    char file[48];          /* in the folder; "" if nothing is wrong */
    uint64_t offset;        /* of the first damage in that file */
    char reason[120];       /* one line; "" if nothing is wrong */
    uint64_t segment_count; /* log files */
    uint64_t record_count;  /* sound records in them */
    uint64_t item_count;    /* of them pushes */
    uint64_t log_bytes;     /* of the log files */
    uint64_t damage_count;  /* places where the log is damaged */
    uint64_t damaged_bytes; /* bytes without a sound record */
    uint64_t lost_items;    /* items that were in the damaged bytes */
    uint64_t torn_bytes;    /* unfinished at the very end: no damage */
} seenset_queue_report;

/*
 * How to open a queue. Zero is the default everywhere. `set`, normalise and
 * segment_bytes are decided when the queue is made; given again for a queue
 * that exists they must agree with it.
 */
typedef struct seenset_queue_options {
    seenset_options set;
    seenset_queue_normalise normalise;
    seenset_queue_durability durability; /* default EACH */
    double interval_seconds;             /* default 0.1; 0.001 to 3600 */
    double lease_seconds;                /* default 60; up to 1e9 */
    uint64_t segment_bytes;              /* default 64 MiB; 4 KiB to 1 TiB */
    uint64_t snapshot_bytes; /* of log between two snapshots of the set;
                                default the larger of 256 MiB and two sets */
    int must_exist;          /* 1: do not make a queue where there is none */
    int keep_leases; /* 1: leases and delays that were written down (by close,
                        checkpoint or save_leases) go on; else everything
                        un-acked is handed out again */
    seenset_queue_report *report; /* NULL, or where a failed open says why */
} seenset_queue_options;

/*
 * Opens the queue in folder `dir`, or makes one (the folder too, if its
 * parent exists). options NULL means all defaults.
 * Returns 0 and the queue in *out, to be closed with seenset_queue_close;
 * SEENSET_EINVAL, SEENSET_ENOMEM, SEENSET_EIO, SEENSET_EINUSE (another
 * process, or handle, has it), SEENSET_EMISMATCH (the queue was made with
 * other options), SEENSET_EFORMAT (not a queue), SEENSET_EVERSION,
 * SEENSET_EDAMAGED (options->report names file and offset), or what
 * seenset_new returns for a set it cannot make.
 * Cost: reads the set and the log after its last snapshot.
 */
SEENSET_API int seenset_queue_open(seenset_queue **out, const char *dir,
                                   const seenset_queue_options *options);

/*
 * Makes everything durable, writes the set if much was pushed since it was
 * written last, and frees the handle, whatever is returned. No other call may
 * be running. NULL is allowed.
 * Returns 0, SEENSET_EIO (what sync would have made durable may be lost),
 * SEENSET_EPOISONED, or SEENSET_ENOMEM (all is durable, but leases were not
 * written down).
 */
SEENSET_API int seenset_queue_close(seenset_queue *queue);

/*
 * Pushes a URL of url_len bytes with data_len bytes of the caller's own (how
 * deep, who linked to it), which pop hands out with it; together at most
 * SEENSET_QUEUE_MAX_ITEM_BYTES.
 * Returns 1 (new: appended), 0 (seen before, and dropped), SEENSET_EFULL
 * (new, and the set is at its capacity and refuses: not appended),
 * SEENSET_EURL, SEENSET_EINVAL, SEENSET_EIO, SEENSET_EPOISONED or
 * SEENSET_ENOMEM; or SEENSET_ERATE, SEENSET_ETOOBIG (new, and the set cannot
 * grow any further: not appended).
 */
SEENSET_API int seenset_queue_push(seenset_queue *queue, const void *url,
                                   size_t url_len, const void *data,
                                   size_t data_len);

/* A URL with its data. */
typedef struct seenset_queue_entry {
    const void *url;
    size_t url_len;
    const void *data;
    size_t data_len;
} seenset_queue_entry;

/*
 * The same for many, in order, with one wait for the disk, normalised or not,
 * and one more for each segment of the log that they fill. Stores 1 (new), 0
 * (seen), SEENSET_ANSWER_REFUSED (the set is full) or SEENSET_ANSWER_NOT_A_URL
 * into is_new[i]; is_new may be NULL. Returns 0; SEENSET_EINVAL (nothing was
 * pushed), SEENSET_EFULL or SEENSET_EURL (some were refused, is_new is filled
 * in); or SEENSET_EIO, SEENSET_EPOISONED, SEENSET_ENOMEM, or SEENSET_EINVAL for
 * a URL whose normal form is over SEENSET_QUEUE_MAX_ITEM_BYTES with its data:
 * then what is_new says holds for nothing, some were pushed perhaps, and
 * pushing all again is safe.
 */
SEENSET_API int seenset_queue_push_many(seenset_queue *queue,
                                        const seenset_queue_entry *pushes,
                                        size_t push_count, uint8_t *is_new);

/*
 * An item handed out. Start from {0}; pop fills it in and reuses its memory;
 * seenset_queue_item_free gives it back. url and data stay valid until then.
 */
typedef struct seenset_queue_item {
    uint64_t lease;      /* for ack, nack and extend */
    uint64_t number;     /* of the item: pushes before it */
    uint32_t deliveries; /* since the queue was opened; 1 the first time */
    const void *url;     /* as stored: normalised if the queue does that */
    size_t url_len;
    const void *data;
    size_t data_len;
    void *memory; /* private */
    size_t memory_bytes;
} seenset_queue_item;

SEENSET_API void seenset_queue_item_free(seenset_queue_item *item);

/*
 * Hands out an item for lease_seconds: one whose time came again if there is
 * any, else the oldest that was never handed out.
 * Returns 1, 0 (nothing to hand out now), SEENSET_EIO, SEENSET_ENOMEM,
 * SEENSET_EPOISONED, SEENSET_EINVAL or SEENSET_EDAMAGED (the next item cannot
 * be read; seenset_queue_verify says where, seenset_queue_repair skips it).
 */
SEENSET_API int seenset_queue_pop(seenset_queue *queue,
                                  seenset_queue_item *item);

/*
 * Ends a lease: the item is done and never handed out again. ack_many does it
 * for several with one wait for the disk: unknown leases among them are
 * skipped, the rest are acked, and SEENSET_ELEASE is returned. After another
 * error some may be acked; acking all again is safe.
 * Returns 0, SEENSET_ELEASE, SEENSET_EIO, SEENSET_EPOISONED, SEENSET_ENOMEM
 * or SEENSET_EINVAL.
 */
SEENSET_API int seenset_queue_ack(seenset_queue *queue, uint64_t lease);
SEENSET_API int seenset_queue_ack_many(seenset_queue *queue,
                                       const uint64_t *leases,
                                       size_t lease_count);

/*
 * nack gives an item back, to be handed out again delay_seconds from now.
 * extend makes a lease end `seconds` from now. Both are 0 to 1e9 seconds.
 * Time that the machine is suspended for counts. In a handle that is opened
 * later with keep_leases, a lease or delay that was written down goes on for
 * as long as it has left, whatever lease_seconds that handle has. After a
 * restart of the machine the wall clock says how long it was down: as much
 * less is left, but never more than there was.
 * Return 0, SEENSET_ELEASE or SEENSET_EINVAL (negative, NaN or over 1e9).
 */
SEENSET_API int seenset_queue_nack(seenset_queue *queue, uint64_t lease,
                                   double delay_seconds);
SEENSET_API int seenset_queue_extend(seenset_queue *queue, uint64_t lease,
                                     double seconds);

/*
 * Writes down which items are leased and delayed, and until when, so that a
 * later handle with keep_leases goes on with them even if this process is
 * killed now; and makes durable all that was answered. Call it between pop and
 * telling others of the leases, where they are to outlive the process: what
 * could not be written down is then known before anybody relies on it.
 * Returns 0, SEENSET_EINVAL, SEENSET_EIO, SEENSET_ENOMEM or SEENSET_EPOISONED.
 * Cost: a file of 32 bytes an item that was handed out and is not acked, and
 * the waits for the disk that it takes; nothing if nothing has changed.
 */
SEENSET_API int seenset_queue_save_leases(seenset_queue *queue);

/*
 * Waits until all that was answered so far is durable.
 * Returns 0, SEENSET_EIO or SEENSET_EPOISONED.
 */
SEENSET_API int seenset_queue_sync(seenset_queue *queue);

/*
 * Writes the set and the queue's state to disk now, and removes log files
 * that nothing needs any more. Done by itself every so often; pushes wait
 * while the set is copied.
 * Returns 0, SEENSET_EIO, SEENSET_ENOMEM or SEENSET_EPOISONED.
 */
SEENSET_API int seenset_queue_checkpoint(seenset_queue *queue);

/* The figures of a queue. */
typedef struct seenset_queue_stats {
    seenset_queue_durability durability;
    seenset_queue_normalise normalise;
    uint64_t pending_items;  /* never acked and not under a lease now */
    uint64_t leased_items;   /* under a lease that has not ended */
    uint64_t pushed_items;   /* ever answered "new" */
    uint64_t acked_items;    /* ever acked */
    uint64_t dropped_items;  /* answered "seen" (a crash forgets some) */
    uint64_t refused_items;  /* answered SEENSET_EFULL, likewise */
    uint64_t not_url_items;  /* answered SEENSET_EURL, likewise */
    double wrong_items;      /* expected number of new URLs dropped as seen */
    double seconds_to_full;  /* at the rate since it was opened; infinite */
    uint64_t log_bytes;      /* of the log files */
    uint64_t segment_count;  /* log files */
    uint64_t unsynced_bytes; /* of the log, not yet known to be durable */
    uint64_t torn_bytes;     /* cut off the log's end when it was opened */
    uint64_t failed_checkpoints; /* since it was opened; tried again later */
    uint64_t memory_bytes;       /* of the whole handle, the set included */
    seenset_stats set;
} seenset_queue_stats;

/* Returns 0 or SEENSET_EINVAL. Cost: reads every bit of the set. */
SEENSET_API int seenset_queue_get_stats(seenset_queue *queue,
                                        seenset_queue_stats *out);

/*
 * The figures of the queue in folder `dir`, whether or not others have it
 * open: takes no lock, changes no file, and holds nobody up. *out is right as
 * of one moment during the call, for all that was in the log's files by then;
 * what another process still has in memory (under durability `interval` and
 * `none`) is not counted. Leases are those that the others wrote down, at
 * their last checkpoint or close: an item that was handed out since counts as
 * pending. durability is SEENSET_QUEUE_DURABILITY_DEFAULT (it is each handle's
 * own), unsynced_bytes and failed_checkpoints are 0, torn_bytes are those of an
 * unfinished end, seconds_to_full is infinite or 0, and memory_bytes is what
 * opening takes. report may be NULL; after SEENSET_EDAMAGED, SEENSET_EFORMAT
 * and SEENSET_EVERSION it says where and why.
 * Returns 0, SEENSET_EINVAL, SEENSET_ENOMEM, SEENSET_EIO, SEENSET_EFORMAT (not
 * a queue), SEENSET_EVERSION, SEENSET_EHASH, SEENSET_EDAMAGED, or what
 * seenset_new returns for a set it cannot make; *out is then untouched.
 * Cost: time and memory of seenset_queue_open (the set is read whole, and the
 * log after its last snapshot), and again if a checkpoint of another process
 * removed a file that was about to be read; after 32 times it gives up, and
 * returns the error of the last.
 */
SEENSET_API int seenset_queue_look(const char *dir, seenset_queue_stats *out,
                                   seenset_queue_report *report);

/*
 * Reads every byte of a queue that nobody has open and checks it; changes
 * nothing. report may be NULL. Returns 0 (sound, up to an unfinished record
 * at the very end), SEENSET_EDAMAGED, or what seenset_queue_open would.
 */
SEENSET_API int seenset_queue_verify(const char *dir,
                                     seenset_queue_report *report);

/*
 * Makes a damaged queue usable again: skips damaged stretches of the log,
 * whose items are lost (report->lost_items), removes damaged snapshots, and
 * makes the set anew from the snapshots and the log that are left. Sound
 * queues stay as they are. report, which may be NULL, says what was found.
 * Returns 0, or what seenset_queue_open would for a damaged MANIFEST.
 */
SEENSET_API int seenset_queue_repair(const char *dir,
                                     seenset_queue_report *report);

#ifdef __cplusplus
}
#endif
#endif
