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
 * This header has the calls that change a queue. It includes the others:
 *
 *     queue_options.h  how a queue is opened, and the report of a failure
 *     queue_info.h     what is in an open queue: figures, and items
 *     queue_hosts.h    the hosts of a polite queue: settings and figures
 *     queue_folder.h   a folder looked at, checked, repaired or remade
 *
 * A queue is a folder, described in docs/queue.md. Memory, however long the
 * queue is: the set, a few MiB of buffers, about 64 bytes for each item popped
 * and not yet acked, and 16 to 32 for each URL that was forgotten and not
 * pushed since. A queue can also be in memory alone: see seenset_queue_open.
 *
 * Its set is any that URLs can be added to one by one: of any such layout,
 * keyed under a secret (for URLs that an adversary may choose), a window (a URL
 * is new again once it is forgotten), with an index scheme, or exact: the URLs
 * themselves, of which none is ever dropped by mistake.
 *
 * Threads. Every call on an open queue (push, push_again, push_many, forget,
 * pop, pop_many, peek, get_leased, list, ack, ack_many, nack, extend,
 * save_leases, sync, checkpoint, get_stats, get_set_stats, get_set_estimate,
 * get_set_info, set_host, get_host, list_hosts) may run in any number of
 * threads at once, beside itself and beside each other. Only close must have
 * the queue to itself, and no call may follow it. An item belongs to one thread
 * at a time: pop fills it in and item_free frees it. One process, and one
 * handle in it, has a queue open at a time: open, verify and repair return
 * SEENSET_EINUSE while another has it, but look and look_list work. A queue in
 * memory belongs to its handle alone.
 *
 * Errors are those of seenset/error.h. After SEENSET_EIO, errno has the cause.
 * After an error a call has changed nothing and its outputs are untouched,
 * unless its comment states otherwise. After SEENSET_EPOISONED, close the queue
 * and open it again.
 */
#ifndef SEENSET_QUEUE_H
#define SEENSET_QUEUE_H

#include "seenset/error.h"
#include "seenset/queue_folder.h"
#include "seenset/queue_hosts.h"
#include "seenset/queue_info.h"
#include "seenset/queue_options.h"
#include "seenset/seenset.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Opens the queue in folder `dir`, or makes one, and the folder if its parent
 * exists. options NULL means all defaults.
 *
 * dir NULL makes a queue in memory, which ends with its handle. All calls on it
 * do what they do on others, and none returns SEENSET_EIO or SEENSET_EPOISONED.
 * There is nothing to wait for: durability, snapshot_bytes and
 * SEENSET_QUEUE_KEEP_LEASES have no effect, and its durability is reported as
 * SEENSET_QUEUE_DURABILITY_NONE. SEENSET_QUEUE_MUST_EXIST is refused. Memory
 * follows what is pending: segments whose items are all acked are freed. With
 * priorities, the segments after the oldest waiting item of any priority stay
 * as well, until that item was handed out. Calls that need another segment and
 * cannot allocate it return SEENSET_ENOMEM.
 *
 * Returns 0 and the queue in *out, to be closed with seenset_queue_close;
 * SEENSET_EINVAL, SEENSET_ENOMEM, SEENSET_EIO, SEENSET_EINUSE (another process
 * or handle has it open), SEENSET_EMISMATCH (the queue was made with other
 * options; options->report has the first that differs), SEENSET_EFORMAT (not a
 * queue), SEENSET_EVERSION, SEENSET_EDAMAGED (options->report has file, offset
 * and reason), SEENSET_ESECRET (the queue is keyed, and the secret is missing
 * or not its own; or it is not keyed, and one is given), SEENSET_EHASH
 * (the same for the index function; or a hash that this library does not know),
 * SEENSET_EUNSUPPORTED (a queue cannot have such a set; or it would normalise
 * URLs, which a library built with SEENSET_URLS=OFF cannot), or the error of
 * seenset_new for a set that cannot be made.
 * Cost: reads the set, and the log after its last snapshot.
 */
SEENSET_API int seenset_queue_open(seenset_queue **out, const char *dir,
                                   const seenset_queue_options *options);

/*
 * Makes everything durable, writes the set if much was pushed since it was
 * written last or if that frees more of the log than it takes, and frees the
 * handle, also if an error is returned. No other call may be running. NULL is
 * allowed.
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
 * SEENSET_EBUDGET (new, but its host has all the URLs that its budget allows:
 * not appended, and not seen); SEENSET_EURL (not a URL, and the queue
 * normalises); SEENSET_EINVAL, SEENSET_EIO, SEENSET_EPOISONED or
 * SEENSET_ENOMEM.
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
 * and SEENSET_ETOOBIG only if the set does not have the URL. It counts for its
 * host's budget.
 * Cost: as seenset_queue_push.
 */
SEENSET_API int seenset_queue_push_again(seenset_queue *queue, const void *url,
                                         size_t url_len, const void *data,
                                         size_t data_len);

/* A URL with its data, as for seenset_queue_push. Start from {0}. */
typedef struct seenset_queue_entry {
    const void *url;
    size_t url_len;
    const void *data;
    size_t data_len;
    uint32_t priority;    /* 1 to 9; 0: the one of the options, or none */
    uint32_t reserved32;  /* must be 0 */
    uint64_t reserved[2]; /* must be 0 */
} seenset_queue_entry;

/*
 * The flags of seenset_queue_push_options, which hold for every entry.
 *
 * SEENSET_QUEUE_AGAIN: push URLs that were seen as well, as
 * seenset_queue_push_again does.
 *
 * SEENSET_QUEUE_SEEN_ONLY: add the URLs to the set and make no items. Not with
 * any priority or SEENSET_QUEUE_AGAIN; data is not kept.
 */
#define SEENSET_QUEUE_AGAIN (UINT32_C(1) << 20)
#define SEENSET_QUEUE_SEEN_ONLY (UINT32_C(1) << 21)

/* How seenset_queue_push_many pushes. Start from {0}. */
typedef struct seenset_queue_push_options {
    uint32_t priority;    /* 0, the default, to 9, which is handed out first; of
                             the entries that have none of their own */
    uint32_t flags;       /* SEENSET_QUEUE_AGAIN or _SEEN_ONLY; default none */
    uint64_t reserved[4]; /* must be 0 */
} seenset_queue_push_options;

/*
 * Pushes many URLs, in order. It waits for the disk once, and once more for
 * each segment of the log that they fill, whether the queue normalises or not.
 * options NULL: all defaults. answers[i] becomes a seenset_answer:
 * SEENSET_ANSWER_NEW, SEENSET_ANSWER_SEEN, SEENSET_ANSWER_REFUSED (the set is
 * full), SEENSET_ANSWER_NOT_A_URL or SEENSET_ANSWER_OVER_BUDGET (of its host).
 * answers may be NULL. With SEENSET_QUEUE_AGAIN each URL that is pushed is
 * SEENSET_ANSWER_NEW; with SEENSET_QUEUE_SEEN_ONLY each that is new to the set.
 *
 * With several priorities pop hands out the highest first, and within a
 * priority the oldest item. The first item with a priority over 0, the first
 * SEENSET_QUEUE_SEEN_ONLY and the first seenset_queue_forget make MANIFEST
 * version 3: from then on, libraries that do not know these refuse the queue
 * with SEENSET_EVERSION. Queues without them stay as they are.
 *
 * Returns 0; SEENSET_EFULL, SEENSET_EBUDGET or SEENSET_EURL (some were refused,
 * and answers is filled in: the first of these that holds); SEENSET_EINVAL (an
 * entry or an option is out of range, and nothing was pushed); or SEENSET_EIO,
 * SEENSET_EPOISONED, SEENSET_ENOMEM, SEENSET_ERATE, SEENSET_ETOOBIG, or
 * SEENSET_EINVAL for a URL whose normal form is over
 * SEENSET_QUEUE_MAX_ITEM_BYTES with its data. After these, answers has no
 * meaning, some may have been pushed, and pushing all again is safe.
 * Cost: as seenset_queue_push, but for the waits; 256 KiB of memory for each
 * priority that has items, unless the queue is polite.
 */
SEENSET_API int
seenset_queue_push_many(seenset_queue *queue,
                        const seenset_queue_entry *entries, size_t entry_count,
                        const seenset_queue_push_options *options,
                        uint8_t *answers);

/*
 * Forgets a URL: the next push of it is new. Items of it that are pending stay.
 * The set itself may be a filter, from which nothing can be removed; so the
 * queue remembers beside it that this URL counts as new. Beside a filter it
 * remembers the URL's 64-bit hash: another URL with the same hash, which does
 * not happen by chance, counts as new too, and none is ever dropped because of
 * it. In a window the set keeps the time of the first push, so a URL that was
 * forgotten and pushed again is new earlier than others.
 * Returns 1 (it was seen, and is not any more); 0 (it was not seen);
 * SEENSET_EURL (not a URL, and the queue normalises); SEENSET_EINVAL,
 * SEENSET_EIO, SEENSET_EPOISONED or SEENSET_ENOMEM.
 * Cost: as seenset_queue_push; 16 to 32 bytes of memory, and 8 in each state
 * file, until the URL is pushed again.
 */
SEENSET_API int seenset_queue_forget(seenset_queue *queue, const void *url,
                                     size_t url_len);

/*
 * Hands out an item for lease_seconds, from the highest priority that has one:
 * the one that has been due longest, if the lease or delay of any has ended;
 * otherwise the oldest that was never handed out. Its lease is new: an item has
 * the same one again after 16,777,215 times. The first item that is handed out
 * for the 256th time, tried or not, makes MANIFEST version 5: from then on,
 * libraries that do not know it refuse the queue with SEENSET_EVERSION.
 *
 * A polite queue hands out items only if their host may be asked now, as
 * seenset/queue_hosts.h has it. The first hand-out after each state that was
 * written to its folder waits for the disk.
 *
 * Returns 1; 0 (there is nothing to hand out now); SEENSET_EIO,
 * SEENSET_ENOMEM, SEENSET_EPOISONED, SEENSET_EINVAL or SEENSET_EDAMAGED (the
 * next item cannot be read; seenset_queue_verify reports where, and
 * seenset_queue_repair skips it).
 */
SEENSET_API int seenset_queue_pop(seenset_queue *queue,
                                  seenset_queue_item *item);

/* The least memory that seenset_queue_pop_many is given: any item fits. */
#define SEENSET_QUEUE_POP_BYTES (SEENSET_QUEUE_MAX_ITEM_BYTES + 2)

/* How seenset_queue_pop_many hands out. Start from {0}. */
typedef struct seenset_queue_pop_options {
    double lease_seconds; /* 0: those of the queue; up to 1e9 */
    uint64_t reserved[4]; /* must be 0 */
} seenset_queue_pop_options;

/*
 * Hands out up to item_count items, in the order in which as many calls of
 * seenset_queue_pop would. options NULL: all defaults.
 *
 * The URLs and data are written to the caller's `memory`, one item after the
 * other, and items[i].url and items[i].data point there: they are valid for as
 * long as the caller leaves that memory alone, also after the queue is closed.
 * memory_bytes is SEENSET_QUEUE_POP_BYTES or more. An item that does not fit
 * after the others stays in the queue for the next call. Memory that an item
 * has of its own, from seenset_queue_pop, is not used and stays its own; items
 * that are {0} have none afterwards, and need no seenset_queue_item_free.
 *
 * Returns how many were handed out, from items[0] on; 0 (there is nothing to
 * hand out now, or item_count is 0); or, if the first item meets it, an error
 * of seenset_queue_pop. An error that a later item meets ends the call: those
 * before it are handed out, and the next call returns it. SEENSET_EINVAL also
 * for options that are out of range, and too little memory.
 * Cost: as seenset_queue_pop, without its memory. Other calls take their turns
 * after each 256 items.
 */
SEENSET_API int64_t
seenset_queue_pop_many(seenset_queue *queue, seenset_queue_item *items,
                       size_t item_count, void *memory, size_t memory_bytes,
                       const seenset_queue_pop_options *options);

/*
 * Ends a lease: its item is done, and never handed out again.
 * Returns 0; SEENSET_ELEASE (it is not a lease, or it has ended); SEENSET_EIO,
 * SEENSET_EPOISONED, SEENSET_ENOMEM or SEENSET_EINVAL (queue is NULL).
 */
SEENSET_API int seenset_queue_ack(seenset_queue *queue, uint64_t lease);

/*
 * Ends several leases, with one wait for the disk. Leases that have ended
 * already are skipped: the others are acked, and SEENSET_ELEASE is returned.
 * After another error some may be acked; acking all again is safe.
 * Returns as seenset_queue_ack.
 */
SEENSET_API int seenset_queue_ack_many(seenset_queue *queue,
                                       const uint64_t *leases,
                                       size_t lease_count);

/*
 * For seenset_queue_nack_options.flags: the work that the item was handed out
 * for was not tried, so this was not a delivery, and `deliveries` is what it
 * was before. For a worker that cannot try now, such as one that may not ask
 * this host yet: if items are given up after a number of deliveries, this one
 * does not count.
 */
#define SEENSET_QUEUE_UNTRIED (UINT32_C(1) << 22)

/*
 * The same flags: the work was done, and is to be done again after the delay. A
 * page that was visited is visited again in a day, say. From now on
 * `deliveries` counts from 0 again, so earlier failures are not held against
 * the next visit.
 */
#define SEENSET_QUEUE_VISITED (UINT32_C(1) << 29)

/* How seenset_queue_nack gives an item back. Start from {0}. */
typedef struct seenset_queue_nack_options {
    double delay_seconds; /* from now, 0 to 1e9; default at once */
    uint32_t flags;       /* SEENSET_QUEUE_UNTRIED or _VISITED; default none */
    uint32_t reserved32;  /* must be 0 */
    uint64_t reserved[4]; /* must be 0 */
} seenset_queue_nack_options;

/*
 * Gives an item back, to be handed out again after a delay; options NULL: at
 * once. Time counts while the machine is suspended. In a handle that is opened
 * later with SEENSET_QUEUE_KEEP_LEASES, a delay that was written to disk goes
 * on for the time that was left. If the machine was restarted, the time since
 * the delay was written is subtracted by the wall clock; the item never waits
 * longer than the time that was left.
 *
 * The first SEENSET_QUEUE_UNTRIED or SEENSET_QUEUE_VISITED makes MANIFEST
 * version 4: from then on, libraries that do not know it refuse the queue with
 * SEENSET_EVERSION.
 *
 * In a polite queue the first one after each state that was written to its
 * folder waits for the disk, unless it is untried.
 *
 * Returns 0, SEENSET_ELEASE or SEENSET_EINVAL (a delay that is negative, NaN or
 * over 1e9; both flags, or an unknown one; a reserved field that is not 0);
 * with a flag, and in a polite queue, also SEENSET_EIO, SEENSET_ENOMEM or
 * SEENSET_EPOISONED.
 */
SEENSET_API int seenset_queue_nack(seenset_queue *queue, uint64_t lease,
                                   const seenset_queue_nack_options *options);

/*
 * Makes a lease end `seconds` from now, 0 to 1e9, instead of at its old end.
 * Time counts as for seenset_queue_nack. Returns 0, SEENSET_ELEASE or
 * SEENSET_EINVAL (negative, NaN or over 1e9).
 */
SEENSET_API int seenset_queue_extend(seenset_queue *queue, uint64_t lease,
                                     double seconds);

/*
 * Writes to disk which items are leased and delayed, and until when, so that a
 * later handle with SEENSET_QUEUE_KEEP_LEASES continues with them even if this
 * process is killed now. Also makes durable what other calls have answered.
 * Where leases are to outlive the process, call it after pop and before others
 * learn of the leases: an error is then known before they rely on them. Returns
 * 0, SEENSET_EINVAL, SEENSET_EIO, SEENSET_ENOMEM or SEENSET_EPOISONED. Cost: a
 * file of 32 bytes for each item that was handed out and is not acked, and the
 * waits for the disk for it; nothing if nothing has changed.
 */
SEENSET_API int seenset_queue_save_leases(seenset_queue *queue);

/*
 * Waits until all that was answered so far is durable.
 * Returns 0, SEENSET_EINVAL, SEENSET_EIO or SEENSET_EPOISONED.
 */
SEENSET_API int seenset_queue_sync(seenset_queue *queue);

/*
 * Writes the set and the queue's state to disk now, and removes the log files
 * whose items are all acked, except 1 MiB at most. (The previous set and state
 * need older log; if that is more, both are written twice.) The queue does this
 * itself from time to time. Pushes wait while the set is copied.
 * Returns 0, SEENSET_EINVAL, SEENSET_EIO, SEENSET_ENOMEM or SEENSET_EPOISONED.
 */
SEENSET_API int seenset_queue_checkpoint(seenset_queue *queue);

#ifdef __cplusplus
}
#endif

#endif
