/*
 * seenset/queue.h - a crawler's to-visit queue that survives crashes.
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
 * push drops a URL that was pushed before and appends any other. It drops a new
 * URL by mistake at the false-positive rate of the set, one in a million unless
 * you choose another. push_again drops none. pop hands out the oldest item of
 * the highest priority under a lease; ack ends the lease. An item is handed out
 * again if its lease ran out, if it was nacked, or if it was popped before a
 * restart and never acked: delivery is at least once, and no item is ever lost.
 *
 * This file has the calls that change a queue, and seenset/queue_look.h, which
 * it includes, those that show what is in one, or check and repair a folder.
 *
 * A queue is a folder, described in docs/queue.md. Memory: the set, a few MiB
 * of buffers, about 100 bytes for each item popped and not yet acked, and 16 to
 * 32 for each URL that was forgotten and not pushed since, however long the
 * queue is. A queue can be in memory alone, too: see
 * seenset_queue_open.
 *
 * Its set is any that URLs can be added to one by one: of any such layout,
 * keyed under a secret (for URLs that an adversary may choose), a window (a URL
 * is new again once it is forgotten), with an index scheme, or exact: the URLs
 * themselves, of which none is ever dropped by mistake.
 *
 * Threads. Every call on an open queue (push, push_again, push_many, push_with,
 * forget, pop, peek, get_leased, list, ack, ack_many, nack, extend,
 * save_leases, sync, checkpoint, get_stats, get_set_stats, get_set_estimate,
 * get_set_info) may run in any number of threads at once, beside itself and
 * beside each other. Only close must have the queue to itself, and no call may
 * follow it. An item is one thread's at a time: pop fills it in and item_free
 * frees it. One process, and one handle in it, has a queue open at a time:
 * open, verify and repair return SEENSET_EINUSE while another has it. look and
 * look_list work all the same. A queue in memory is its handle's alone.
 *
 * Errors are those of seenset/error.h. After SEENSET_EIO, errno has the cause.
 * After an error a call has changed nothing and its outputs are untouched,
 * unless its comment states otherwise. After SEENSET_EPOISONED, close the queue
 * and open it again.
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

/* The handle of an open queue. */
typedef struct seenset_queue seenset_queue;

/* The longest URL and data of one item, together. */
#define SEENSET_QUEUE_MAX_ITEM_BYTES (UINT32_C(1) << 20)

/* When a call returns: what a crash after that can undo. */
typedef enum seenset_queue_durability {
    SEENSET_QUEUE_DURABILITY_DEFAULT = 0, /* EACH */
    /* When its changes are on the disk. Nothing is lost. */
    SEENSET_QUEUE_DURABILITY_EACH = 1,
    /* At once; its changes are on the disk interval_seconds later at the
     * latest. So much is lost if the machine or the process dies. */
    SEENSET_QUEUE_DURABILITY_INTERVAL = 2,
    /* At once; its changes are on the disk after sync, close and each
     * checkpoint. */
    SEENSET_QUEUE_DURABILITY_NONE = 3
} seenset_queue_durability;

/* What is done to a URL before it is looked up and stored. */
typedef enum seenset_queue_normalise {
    /* A new queue: OFF. A queue that exists: as it was made. */
    SEENSET_QUEUE_NORMALISE_DEFAULT = 0,
    /* Nothing. Any bytes can be pushed. */
    SEENSET_QUEUE_NORMALISE_OFF = 1,
    /* seenset_url_normalise (seenset/url.h). What is not an http or https URL
     * is refused with SEENSET_EURL. */
    SEENSET_QUEUE_NORMALISE_URL = 2
} seenset_queue_normalise;

/* What verify and repair found; also filled in by an open that fails. */
typedef struct seenset_queue_report {
    char file[48];          /* in the folder; "" if nothing is wrong */
    uint64_t offset;        /* of the first damage in that file */
    char reason[120];       /* one line; "" if nothing is wrong */
    uint64_t segment_count; /* log files */
    uint64_t record_count;  /* sound records in them */
    uint64_t item_count;    /* pushes among these */
    uint64_t log_bytes;     /* size of the log files */
    uint64_t damage_count;  /* places where the log is damaged */
    uint64_t damaged_bytes; /* bytes without a sound record */
    uint64_t lost_items;    /* items that were in the damaged bytes */
    uint64_t torn_bytes;    /* unfinished at the very end: not damage */
    uint64_t reserved[4];   /* 0 */
} seenset_queue_report;

/*
 * How to open a queue. Zero is the default everywhere, so start from {0}.
 *
 * set, exact, normalise and segment_bytes are decided when the queue is made.
 * For a queue that exists, those that are given (not NULL, not 0; in *set
 * likewise) must be as they were when it was made, and the others are as in the
 * queue.
 *
 * *set is read during the call only. In a new queue its fp_rate, if neither
 * that nor a size is given, is 1e-6. Its allocator is used for the whole
 * handle, items included. A queue cannot have SEENSET_SHARED, as its calls
 * take turns at the set, nor a layout that keys cannot be added to one by one,
 * nor scheme_arguments, for which its files have no place.
 *
 * A secret and an index_function are not written to disk: each open is given
 * them, and each look, verify and repair (those with options). A window by age
 * remembers each URL from the time of its push, by the system's clock, whenever
 * the set is made again from the log. In a sliding window a push renews a URL
 * that is seen: it is answered SEENSET_ANSWER_SEEN, and is as durable as any
 * other. With counters, each URL counts once.
 *
 * exact: no filter, but the URLs themselves, in memory and in the files. For
 * small crawls: it takes the bytes of each URL and 28 to 52 more. on_full may
 * be SEENSET_ON_FULL_REFUSE, with capacity_items; else there is no end. fp_rate
 * may be given and is kept, as there are no false positives. What else is in
 * *set is for filters only, a secret as well: the table is hashed under one of
 * each handle's own.
 *
 * at_capacity belongs to the handle: a call that pushes, or makes pushes
 * durable, calls it while other calls wait. So it may ask the set that it is
 * given, but must not call the queue. An exact set has no seenset to be given,
 * and never calls it.
 */
typedef struct seenset_queue_options {
    const seenset_options *set; /* NULL: all defaults */
    seenset_queue_normalise normalise;
    seenset_queue_durability durability; /* default EACH */
    double interval_seconds;             /* default 0.1; 0.001 to 3600 */
    double lease_seconds;                /* default 60; up to 1e9 */
    uint64_t segment_bytes;  /* 4 KiB to 1 TiB; default 64 MiB, in memory 1 */
    uint64_t snapshot_bytes; /* of log between two snapshots of the set;
                                default the larger of 256 MiB and two sets */
    int must_exist;          /* 1: do not make a queue if there is none */
    int keep_leases; /* 1: leases and delays that were written to disk (by
                        close, checkpoint or save_leases) go on; 0: every item
                        that is not acked is handed out again */
    seenset_queue_report
        *report;          /* NULL, or where a failed open puts the reason */
    int exact;            /* 1: the URLs themselves instead of a filter */
    uint64_t set_at_once; /* 1: a look estimates the set's figures at once */
    uint64_t reserved[4]; /* must be 0 */
} seenset_queue_options;

/*
 * Opens the queue in folder `dir`, or makes one, and the folder if its parent
 * exists. options NULL means all defaults.
 *
 * dir NULL makes a queue in memory, which ends with its handle. All calls on it
 * do what they do on others, and none returns SEENSET_EIO or SEENSET_EPOISONED.
 * There is nothing to wait for: durability, snapshot_bytes and keep_leases have
 * no effect, and its durability is reported as SEENSET_QUEUE_DURABILITY_NONE.
 * must_exist must be 0. Its memory follows what is pending: segments whose
 * items are all acked are freed. With priorities, those after the oldest item
 * of any priority that waits stay, too, until it was handed out. Without the
 * memory for another one, calls that need it return SEENSET_ENOMEM.
 *
 * Returns 0 and the queue in *out, to be closed with seenset_queue_close;
 * SEENSET_EINVAL, SEENSET_ENOMEM, SEENSET_EIO, SEENSET_EINUSE (another process
 * or handle has it open), SEENSET_EMISMATCH (the queue was made with other
 * options), SEENSET_EFORMAT (not a queue), SEENSET_EVERSION,
 * SEENSET_EDAMAGED (options->report has file, offset and reason),
 * SEENSET_ESECRET (the queue is keyed, and the secret is missing or not its
 * own; or it is not keyed, and one is given), SEENSET_EHASH (likewise of the
 * index function; or a hash that this library does not know),
 * SEENSET_EUNSUPPORTED (a queue cannot have such a set), or the error of
 * seenset_new for a set that cannot be made.
 * Cost: reads the set, and the log after its last snapshot.
 */
SEENSET_API int seenset_queue_open(seenset_queue **out, const char *dir,
                                   const seenset_queue_options *options);

/*
 * Makes everything durable, writes the set if much was pushed since it was
 * written last, and frees the handle, also if an error is returned. No other
 * call may be running. NULL is allowed.
 * Returns 0; SEENSET_EIO (what sync would have made durable may be lost);
 * SEENSET_EPOISONED; or SEENSET_ENOMEM (all is durable, but leases were not
 * written to disk).
 */
SEENSET_API int seenset_queue_close(seenset_queue *queue);

/*
 * Pushes the url_len bytes at url, with data_len bytes of the caller's own (a
 * depth, a referrer), which pop returns with the URL. Together they are at most
 * SEENSET_QUEUE_MAX_ITEM_BYTES. Either pointer may be NULL if its length is 0.
 * Returns 1 (new: appended); 0 (seen before: dropped); SEENSET_EFULL (new, but
 * the set is at its capacity and refuses: not appended); SEENSET_ERATE or
 * SEENSET_ETOOBIG (new, but the set cannot grow any further: not appended);
 * SEENSET_EURL (not a URL, and the queue normalises); SEENSET_EINVAL,
 * SEENSET_EIO, SEENSET_EPOISONED or SEENSET_ENOMEM.
 * Cost: one look-up in the set; under durability `each`, a wait for the disk,
 * which threads that push at once share.
 */
SEENSET_API int seenset_queue_push(seenset_queue *queue, const void *url,
                                   size_t url_len, const void *data,
                                   size_t data_len);

/*
 * Pushes a URL whether it was seen or not: to visit it again, or to follow a
 * redirect to it. It is always appended, and the URL is in the set afterwards.
 * Returns 1, or an error as seenset_queue_push: SEENSET_EFULL, SEENSET_ERATE
 * and SEENSET_ETOOBIG only if the set does not have the URL.
 * Cost: as seenset_queue_push.
 */
SEENSET_API int seenset_queue_push_again(seenset_queue *queue, const void *url,
                                         size_t url_len, const void *data,
                                         size_t data_len);

/* A URL with its data, as for seenset_queue_push. */
typedef struct seenset_queue_entry {
    const void *url;
    size_t url_len;
    const void *data;
    size_t data_len;
} seenset_queue_entry;

/*
 * Pushes many, in order, with one wait for the disk, normalised or not, and
 * one more for each segment of the log that they fill. answers[i] becomes a
 * seenset_answer: SEENSET_ANSWER_NEW, SEENSET_ANSWER_SEEN,
 * SEENSET_ANSWER_REFUSED (the set is full) or SEENSET_ANSWER_NOT_A_URL. answers
 * may be NULL.
 * Returns 0; SEENSET_EFULL or SEENSET_EURL (some were refused, and answers is
 * filled in); SEENSET_EINVAL (an entry is out of range, and nothing was
 * pushed); or SEENSET_EIO, SEENSET_EPOISONED, SEENSET_ENOMEM, SEENSET_ERATE,
 * SEENSET_ETOOBIG, or SEENSET_EINVAL for a URL whose normal form is over
 * SEENSET_QUEUE_MAX_ITEM_BYTES with its data. After these, answers has no
 * meaning, some may have been pushed, and pushing all again is safe.
 */
SEENSET_API int seenset_queue_push_many(seenset_queue *queue,
                                        const seenset_queue_entry *entries,
                                        size_t entry_count, uint8_t *answers);

enum {
    SEENSET_QUEUE_PRIORITIES = 10 /* 0 to 9 */
};

/* How seenset_queue_push_with pushes. Zero is seenset_queue_push_many, so start
 * from {0}. */
typedef struct seenset_queue_push_options {
    uint32_t priority; /* 0, the default, to 9, which is handed out first */
    int again;         /* 1: also URLs that were seen, as push_again */
    int seen_only;     /* 1: into the set, and no items are made; priority and
                          again must be 0, and data is not kept */
    int unused;        /* must be 0 */
    uint64_t reserved[4]; /* must be 0 */
} seenset_queue_push_options;

/*
 * Pushes many, as seenset_queue_push_many, with options that hold for all of
 * them; NULL: all defaults. With `again` each is answered SEENSET_ANSWER_NEW,
 * unless it was refused or is not a URL. With `seen_only` as by a push: new
 * ones are SEENSET_ANSWER_NEW.
 *
 * Of several priorities pop hands out the highest first, and the oldest item of
 * each. The first item with a priority over 0, the first `seen_only` and the
 * first seenset_queue_forget make MANIFEST version 3: libraries that do not
 * know these refuse the queue from then on with SEENSET_EVERSION. Queues
 * without stay as they are.
 *
 * Returns as seenset_queue_push_many; SEENSET_EINVAL also for options that are
 * out of range.
 * Cost: as seenset_queue_push_many; 256 KiB of memory for each priority that
 * has items.
 */
SEENSET_API int
seenset_queue_push_with(seenset_queue *queue,
                        const seenset_queue_entry *entries, size_t entry_count,
                        const seenset_queue_push_options *options,
                        uint8_t *answers);

/*
 * Forgets a URL: the next push of it is new. Items of it that are pending stay.
 * The set itself may be a filter, from which nothing can be removed; so the
 * queue remembers, beside it, that this URL is to be taken for new. Of a filter
 * that is the URL's 64-bit hash: another URL with the same hash, which nobody
 * meets by chance, is taken for new, too, and none is ever dropped for it. In a
 * window the set keeps the time of the first push, so a URL that was forgotten
 * and pushed again is new earlier than others.
 * Returns 1 (it was seen, and is not any more); 0 (it was not seen);
 * SEENSET_EURL (not a URL, and the queue normalises); SEENSET_EINVAL,
 * SEENSET_EIO, SEENSET_EPOISONED or SEENSET_ENOMEM.
 * Cost: as seenset_queue_push; 16 to 32 bytes of memory, and 8 in each state
 * file, until the URL is pushed again.
 */
SEENSET_API int seenset_queue_forget(seenset_queue *queue, const void *url,
                                     size_t url_len);

/*
 * An item that was handed out. Start from {0}. pop fills it in, and uses its
 * memory again for the next item; seenset_queue_item_free frees it. url and
 * data are valid until then, also after the queue is closed; the byte after
 * each is 0.
 */
typedef struct seenset_queue_item {
    uint64_t lease;      /* for ack, nack and extend */
    uint64_t number;     /* of the item: how many were pushed before it */
    uint32_t deliveries; /* 1 the first time; begins again at 1 when the queue
                            is opened without keep_leases */
    const void *url;     /* as stored: normalised if the queue does that */
    size_t url_len;
    const void *data;
    size_t data_len;
    void *memory; /* private, up to allocator */
    size_t memory_bytes;
    seenset_allocator allocator;
    uint64_t priority; /* 0 to 9 */
    uint64_t reserved[3];
} seenset_queue_item;

/* Frees the memory of an item, which is {0} again. NULL is allowed. It may be
 * called after the queue is closed. */
SEENSET_API void seenset_queue_item_free(seenset_queue_item *item);

/*
 * Hands out an item for lease_seconds, of the highest priority that has one:
 * the one that is due longest, if the lease or delay of any has ended, else the
 * oldest that was never handed out.
 * Returns 1; 0 (there is nothing to hand out now); SEENSET_EIO,
 * SEENSET_ENOMEM, SEENSET_EPOISONED, SEENSET_EINVAL or SEENSET_EDAMAGED (the
 * next item cannot be read; seenset_queue_verify reports where, and
 * seenset_queue_repair skips it).
 */
SEENSET_API int seenset_queue_pop(seenset_queue *queue,
                                  seenset_queue_item *item);

/*
 * Ends a lease: its item is done, and never handed out again.
 * Returns 0; SEENSET_ELEASE (it is not a lease, or it has ended); SEENSET_EIO,
 * SEENSET_EPOISONED, SEENSET_ENOMEM or SEENSET_EINVAL (queue is NULL).
 */
SEENSET_API int seenset_queue_ack(seenset_queue *queue, uint64_t lease);

/*
 * Ends several leases, with one wait for the disk. Those that have ended
 * already are skipped: the others are acked, and SEENSET_ELEASE is returned.
 * After another error some may be acked; acking all again is safe.
 * Returns as seenset_queue_ack.
 */
SEENSET_API int seenset_queue_ack_many(seenset_queue *queue,
                                       const uint64_t *leases,
                                       size_t lease_count);

/*
 * Gives an item back, to be handed out again delay_seconds from now, 0 to 1e9.
 * Time counts while the machine is suspended. In a handle that is opened later
 * with keep_leases, a delay that was written to disk goes on for the time that
 * was left. If the machine was restarted, the time since the delay was written
 * is subtracted by the wall clock; the item never waits for longer than was
 * left.
 * Returns 0, SEENSET_ELEASE or SEENSET_EINVAL (negative, NaN or over 1e9).
 */
SEENSET_API int seenset_queue_nack(seenset_queue *queue, uint64_t lease,
                                   double delay_seconds);

/*
 * Makes a lease end `seconds` from now, 0 to 1e9, instead of when it would
 * have. Time counts as for seenset_queue_nack.
 * Returns 0, SEENSET_ELEASE or SEENSET_EINVAL (negative, NaN or over 1e9).
 */
SEENSET_API int seenset_queue_extend(seenset_queue *queue, uint64_t lease,
                                     double seconds);

/*
 * Writes to disk which items are leased and delayed, and until when, so that a
 * later handle with keep_leases continues with them even if this process is
 * killed now. Also makes durable what other calls have answered. Where leases
 * are to outlive the process, call it after pop and before others learn of the
 * leases: an error is then known before they rely on them.
 * Returns 0, SEENSET_EINVAL, SEENSET_EIO, SEENSET_ENOMEM or SEENSET_EPOISONED.
 * Cost: a file of 32 bytes for each item that was handed out and is not acked,
 * and the waits for the disk for it; nothing if nothing has changed.
 */
SEENSET_API int seenset_queue_save_leases(seenset_queue *queue);

/*
 * Waits until all that was answered so far is durable.
 * Returns 0, SEENSET_EINVAL, SEENSET_EIO or SEENSET_EPOISONED.
 */
SEENSET_API int seenset_queue_sync(seenset_queue *queue);

/*
 * Writes the set and the queue's state to disk now, and removes log files that
 * are no longer needed. The queue does that itself from time to time. Pushes
 * wait while the set is copied.
 * Returns 0, SEENSET_EINVAL, SEENSET_EIO, SEENSET_ENOMEM or SEENSET_EPOISONED.
 */
SEENSET_API int seenset_queue_checkpoint(seenset_queue *queue);

/* The figures of a queue. */
typedef struct seenset_queue_stats {
    seenset_queue_durability durability;
    seenset_queue_normalise normalise;
    uint64_t pending_items;  /* not acked, and not under a lease now */
    uint64_t leased_items;   /* under a lease that has not ended */
    uint64_t pushed_items;   /* ever answered "new" */
    uint64_t acked_items;    /* ever acked */
    uint64_t dropped_items;  /* answered "seen"; a crash forgets some */
    uint64_t refused_items;  /* answered SEENSET_EFULL, likewise */
    uint64_t not_url_items;  /* answered SEENSET_EURL, likewise */
    double wrong_items;      /* expected number of new URLs dropped as seen,
                                computed from the size of each table of the set
                                and the keys added to it, not from its bits;
                                windows: by what they remember; exact: 0 */
    double seconds_to_full;  /* until the set, if it grows with the tables it
                                has by now, holds capacity_items URLs, at the
                                rate since it was opened; infinite for windows
                                and for sets that have no capacity */
    uint64_t log_bytes;      /* size of the log files */
    uint64_t segment_count;  /* log files */
    uint64_t unsynced_bytes; /* of the log, not yet known to be durable */
    uint64_t torn_bytes;     /* cut off the log's end when it was opened */
    uint64_t failed_checkpoints; /* since it was opened; tried again later */
    uint64_t memory_bytes;       /* of the whole handle, the set included */
    uint64_t delayed_items;      /* of pending_items: nacked, and the delay has
                                    not ended */
    uint64_t forgotten_items;    /* URLs that were forgotten, and not pushed
                                    since */
    double seconds_to_due;       /* until the next lease or delay ends; infinite
                                    if there is none */
    uint64_t priority_items[SEENSET_QUEUE_PRIORITIES]; /* not acked, leased or
                                                          not, of each */
} seenset_queue_stats;

/*
 * Fills in the first out_bytes bytes of *out; give sizeof *out. A program that
 * was built with another version of the library so gets the fields that both
 * know, and 0 in others.
 * Returns 0 or SEENSET_EINVAL (NULL, or out_bytes is 0).
 * Cost: constant, and a step for each lease or delay that has ended and whose
 * item was not handed out since; no bit of the set is read.
 */
SEENSET_API int seenset_queue_get_stats(seenset_queue *queue,
                                        seenset_queue_stats *out,
                                        size_t out_bytes);

/*
 * The figures of the queue's set, as seenset_get_stats. out_bytes as above. An
 * exact set has SEENSET_LAYOUT_DEFAULT, no tables and no bits; added_items and
 * estimated_items are its URLs, memory_bytes is what they take, and its rates
 * and wrong_items are 0.
 * Returns 0 or SEENSET_EINVAL (NULL, or out_bytes is 0).
 * Cost: reads every bit of the set. Pushes wait for it.
 */
SEENSET_API int seenset_queue_get_set_stats(seenset_queue *queue,
                                            seenset_stats *out,
                                            size_t out_bytes);

/*
 * The same figures at once, as seenset_get_estimate. out_bytes as above.
 * Returns 0 or SEENSET_EINVAL (NULL, or out_bytes is 0).
 * Cost: reads at most 4 or 16 MiB of the set, while pushes wait; then the
 * arithmetic of seenset_get_estimate, while they do not.
 */
SEENSET_API int seenset_queue_get_set_estimate(seenset_queue *queue,
                                               seenset_estimate *out,
                                               size_t out_bytes);

/*
 * What the queue's set is, as seenset_get_info. out_bytes as above. Of an exact
 * set likewise; its capacity_items is 1,000,000 unless it was given.
 * Returns 0 or SEENSET_EINVAL (NULL, or out_bytes is 0). Cost: constant.
 */
SEENSET_API int seenset_queue_get_set_info(seenset_queue *queue,
                                           seenset_info *out, size_t out_bytes);

#ifdef __cplusplus
}
#endif

#include "seenset/queue_look.h" /* peek to repair */

#endif
