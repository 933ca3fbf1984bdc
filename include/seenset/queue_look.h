/*
 * seenset/queue_look.h - what is in a queue, item by item or in figures; and
 * the folder of a queue checked, repaired, or copied with other options.
 * Part of seenset/queue.h, which has the types, the threads that may call, and
 * what errors mean.
 */
#ifndef SEENSET_QUEUE_LOOK_H
#define SEENSET_QUEUE_LOOK_H

#include <stddef.h>
#include <stdint.h>

#include "seenset/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Fills in the item that pop would hand out now, and hands out nothing. Its
 * lease is 0, and deliveries is how often it was handed out before.
 * Returns as seenset_queue_pop.
 */
SEENSET_API int seenset_queue_peek(seenset_queue *queue,
                                   seenset_queue_item *item);

/*
 * Fills in the item that was handed out under a lease, which goes on: for who
 * kept the lease only, and wants to push its URL elsewhere.
 * Returns 0; SEENSET_ELEASE (it is not a lease, or it has ended); or an error
 * of seenset_queue_pop.
 */
SEENSET_API int seenset_queue_get_leased(seenset_queue *queue, uint64_t lease,
                                         seenset_queue_item *item);

/* What keeps an item that is not acked. */
typedef enum seenset_queue_item_state {
    SEENSET_QUEUE_ITEM_WAITING = 1, /* nothing: pop may hand it out now */
    SEENSET_QUEUE_ITEM_LEASED = 2,  /* a lease that has not ended */
    SEENSET_QUEUE_ITEM_DELAYED = 3  /* a nack with a delay that has not ended */
} seenset_queue_item_state;

/* An item that is not acked, as seenset_queue_list shows it. */
typedef struct seenset_queue_listed {
    uint64_t number; /* as in seenset_queue_item */
    uint64_t lease;  /* 0 unless it is leased */
    seenset_queue_item_state state;
    uint32_t priority;
    uint32_t deliveries; /* how often it was handed out */
    uint32_t unused;     /* 0 */
    double seconds;      /* until its lease or delay ends; 0 if it waits */
    const void *url;     /* valid until the visitor returns, as data is; the */
    size_t url_len;      /* byte after each is 0 */
    const void *data;
    size_t data_len;
    uint64_t reserved[4]; /* 0 */
} seenset_queue_listed;

/* Gets each item in turn. Anything but 0 ends the walk, which returns it; give
 * a positive number, to tell it from an error. */
typedef int (*seenset_queue_visitor)(void *context,
                                     const seenset_queue_listed *item);

/*
 * Shows every item that is not acked to `visit`: those of the highest priority
 * first, and of each the oldest first. No lease is taken and nothing changes.
 * Other calls may run meanwhile, and the visitor may make them, too, but for
 * close. An item that is there all the while is shown once; one that is pushed,
 * acked or rolled back meanwhile may be shown or not.
 * Returns 0; what `visit` returned; SEENSET_EINVAL, SEENSET_EIO,
 * SEENSET_ENOMEM, SEENSET_EPOISONED or SEENSET_EDAMAGED (as of pop).
 * Cost: reads the log from the oldest item on, once for each priority that has
 * items; 256 KiB of memory, or two items' bytes.
 */
SEENSET_API int seenset_queue_list(seenset_queue *queue,
                                   seenset_queue_visitor visit, void *context);

/*
 * The figures of the queue in folder `dir`, which others may have open: takes
 * no lock, changes no file, and no other process waits for it. They are right
 * as of one moment during the call, for all that was in the log's files by
 * then. What another process has in memory only (under durability `interval`
 * and `none`) is not counted. Leases are those that were written to disk at the
 * last checkpoint or close: an item that was handed out since then counts as
 * pending.
 * durability is SEENSET_QUEUE_DURABILITY_DEFAULT (each handle has its own),
 * unsynced_bytes and failed_checkpoints are 0, torn_bytes are those of an
 * unfinished end, seconds_to_full is infinite or 0, and memory_bytes is what
 * opening takes.
 * set_stats may be NULL; else it gets the figures of the set, whose bits are
 * read for that. out_bytes and set_stats_bytes as for seenset_queue_get_stats.
 * report may be NULL; after SEENSET_EDAMAGED, SEENSET_EFORMAT and
 * SEENSET_EVERSION it has file, offset and reason.
 * Returns 0, SEENSET_EINVAL, SEENSET_ENOMEM, SEENSET_EIO, SEENSET_EFORMAT (not
 * a queue), SEENSET_EVERSION, SEENSET_EHASH, SEENSET_EDAMAGED, or the error of
 * seenset_new for a set that cannot be made.
 * Cost: time and memory of seenset_queue_open (the set is read whole, and the
 * log after its last snapshot), and again if a checkpoint of another process
 * removed a file that was about to be read; after 32 times it returns the error
 * of the last.
 */
SEENSET_API int seenset_queue_look(const char *dir, seenset_queue_stats *out,
                                   size_t out_bytes, seenset_stats *set_stats,
                                   size_t set_stats_bytes,
                                   seenset_queue_report *report);

/*
 * The same with options. Of these it uses the set's secret, index function and
 * allocator, and report, and set_at_once. Others, where they are given, must be
 * as for seenset_queue_open of a queue that exists. options NULL: none.
 *
 * set_at_once: the figures in set_stats are those of seenset_get_estimate, that
 * is, a set of up to 4 MiB is counted, and a larger one modelled from the keys
 * added to it. full_counters, is_skewed and overflow_bound are 0. The set's
 * file is not read but mapped, and not checked but for its header: only the
 * pages that the estimate reads, and those where URLs of the log after it
 * belong, are touched; so memory_bytes, of both, are those of the mapping, and
 * of URLs that came after it: beside a table that grows in place they are exact
 * and not among its bits. An exact set is loaded, as it is small.
 *
 * Returns as seenset_queue_look; also SEENSET_ESECRET, SEENSET_EHASH and
 * SEENSET_EMISMATCH as seenset_queue_open. Cost: the same; with set_at_once
 * that of reading the log after the last snapshots, whatever the size of the
 * set.
 */
SEENSET_API int
seenset_queue_look_with(const char *dir, const seenset_queue_options *options,
                        seenset_queue_stats *out, size_t out_bytes,
                        seenset_stats *set_stats, size_t set_stats_bytes);

/*
 * seenset_queue_list of the queue in folder `dir`, which others may have open,
 * as seenset_queue_look_with sees it: no lock is taken, and leases are those
 * that were written to disk. Items that another process acks meanwhile may be
 * left out. The visitor may call anything. options as there; the set is read as
 * with set_at_once.
 * Returns as seenset_queue_list, or an error of seenset_queue_look_with.
 */
SEENSET_API int seenset_queue_look_list(const char *dir,
                                        const seenset_queue_options *options,
                                        seenset_queue_visitor visit,
                                        void *context);

/*
 * Reads every byte of a queue that is not open and checks it; changes nothing.
 * report may be NULL.
 * Returns 0 (sound, up to an unfinished record at the very end),
 * SEENSET_EDAMAGED, or an error of seenset_queue_open: SEENSET_ESECRET of a
 * keyed queue, for which there is seenset_queue_verify_with.
 */
SEENSET_API int seenset_queue_verify(const char *dir,
                                     seenset_queue_report *report);

/*
 * The same with options, as for seenset_queue_look_with.
 * Returns as seenset_queue_verify.
 */
SEENSET_API int seenset_queue_verify_with(const char *dir,
                                          const seenset_queue_options *options);

/*
 * Makes a damaged queue usable again: skips damaged parts of the log, whose
 * items are lost (report->lost_items), removes damaged snapshots, and makes the
 * set again from the snapshots and the log that are left. A sound queue is not
 * changed. report may be NULL; it has what was found.
 * Returns 0, or for a damaged MANIFEST, which cannot be repaired, the error of
 * seenset_queue_open.
 */
SEENSET_API int seenset_queue_repair(const char *dir,
                                     seenset_queue_report *report);

/*
 * The same with options, as for seenset_queue_look_with.
 * Returns as seenset_queue_repair, and the errors of seenset_queue_open.
 */
SEENSET_API int seenset_queue_repair_with(const char *dir,
                                          const seenset_queue_options *options);

/*
 * A URL that is to be seen in a new queue, one with each call; it stays valid
 * until the next call. Returns 1, 0 (there are no more), or a negative number,
 * which ends the call that asked.
 */
typedef int (*seenset_queue_seen_source)(void *context, const void **url,
                                         size_t *url_len);

/* How seenset_queue_remake makes a queue of another. Start from {0}. */
typedef struct seenset_queue_remake_options {
    const seenset_queue_options *from; /* of the queue that exists; it uses what
                                          seenset_queue_look_with uses */
    const seenset_queue_options *to;   /* of the new one, as for
                                          seenset_queue_open, durability and what
                                          follows it aside */
    seenset_queue_seen_source next_seen; /* NULL, or more URLs that were seen */
    void *context;
    int forget_seen;      /* 1: what the queue has seen is not kept */
    int unused;           /* must be 0 */
    uint64_t reserved[4]; /* must be 0 */
} seenset_queue_remake_options;

/* What seenset_queue_remake did. */
typedef struct seenset_queue_remade {
    uint64_t moved_items;    /* that are in the new queue */
    uint64_t leased_items;   /* of these: under a lease of the old one */
    uint64_t joined_items;   /* not moved: an item before it has its URL, as the
                                new queue spells it */
    uint64_t left_out_items; /* not moved: not a URL, and the new queue
                                normalises; or too long by that */
    uint64_t seen_urls;      /* of next_seen, that were new to the set */
    uint64_t refused_urls;   /* of next_seen, likewise not URLs */
    uint64_t is_seen_kept;   /* 1: all that the old queue has seen is seen */
} seenset_queue_remade;

/*
 * Makes a queue in folder `new_dir` of the one in `dir`, with other options:
 * another size, rate, window, normalisation or kind of set. What options->to
 * does not give (NULL, or 0) is as in `dir`: also its secret, and a kind of set
 * that a layout, a scheme, a secret, a window or `exact` does not change.
 *
 * All items that are not acked are in it, with data, priority, how often they
 * were handed out, the delays that have not ended, and in their order; but
 * those that were handed out before come first of their priority. Leases end:
 * their items can be handed out at once. No lease of `dir` is one of the new
 * queue, since the numbers of items go on, and with them pushed_items and
 * acked_items: they count each item that was moved once more. With another
 * normalisation, items whose URLs become the same are one, the first.
 *
 * What was seen is kept if the new set can take it: a set that grows takes any
 * of its layout (seenset_merge), an exact queue gives its URLs to any set. URLs
 * that are spelled otherwise, hashed otherwise, or to be exact cannot be kept,
 * nor can a filter or a window that does not grow become another. Then the call
 * returns SEENSET_EMISMATCH, unless next_seen brings the URLs or forget_seen is
 * 1. Pending URLs are always seen. What was forgotten stays so, unless
 * next_seen brings it.
 *
 * `dir` is locked meanwhile, and not changed. `new_dir` is made if its parent
 * exists, and has to be empty. Its MANIFEST is written last, so it is the whole
 * queue or none; a crash leaves files that are refused as a queue.
 *
 * Fills in the first out_bytes bytes of *out, as seenset_queue_get_stats, which
 * may be NULL. Returns 0; SEENSET_EINVAL; SEENSET_EMISMATCH (options->from has
 * a report: why); SEENSET_EFULL, SEENSET_ERATE or SEENSET_ETOOBIG (the new set
 * does not take all); what next_seen returned; SEENSET_EFORMAT (new_dir is not
 * empty; options->to has a report); or an error of seenset_queue_open or
 * seenset_queue_list.
 * Cost: reads the set and the pending part of the log, writes both; memory for
 * both sets; and with another normalisation for the pending URLs.
 */
SEENSET_API int
seenset_queue_remake(const char *dir, const char *new_dir,
                     const seenset_queue_remake_options *options,
                     seenset_queue_remade *out, size_t out_bytes);

#ifdef __cplusplus
}
#endif
#endif
