/*
 * seenset/queue_folder.h - calls on the folder of a queue, without opening it:
 * show its figures and items, check it, repair it, or copy it with other
 * options.
 *
 * seenset/queue.h includes this header, and has the rules for threads and
 * for errors. Each call takes the folder and options, which may be NULL. Of the
 * options it uses the set's secret, index function and allocator, report, and
 * the flags that it names. Other options, if given, must be as for
 * seenset_queue_open of an existing queue.
 */
#ifndef SEENSET_QUEUE_FOLDER_H
#define SEENSET_QUEUE_FOLDER_H

#include "seenset/queue_info.h"
#include "seenset/queue_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- looking, while others have the queue open ---- */

/*
 * The figures of the queue in folder `dir`, which others may have open: takes
 * no lock, changes no file, and no other process waits for it. They are right
 * as of one moment during the call, for everything that was in the log's files
 * by then. Changes that another process still has in memory (under durability
 * `interval` and `none`) are not counted. Leases are as they were written to
 * disk at the last checkpoint or close: an item that was handed out since then
 * counts as pending.
 *
 * durability is SEENSET_QUEUE_DURABILITY_DEFAULT (each handle has its own),
 * unsynced_bytes and failed_checkpoints are 0, torn_bytes is the unfinished end
 * of the log, seconds_to_full is infinite or 0, and memory_bytes is the memory
 * that opening takes. After SEENSET_EDAMAGED, SEENSET_EFORMAT and
 * SEENSET_EVERSION the report has file, offset and reason.
 *
 * set_stats may be NULL. Otherwise it gets the figures of the set, and all its
 * bits are read for them. out_bytes and set_stats_bytes are the sizes of the
 * two structs, as for seenset_queue_get_stats.
 *
 * With SEENSET_QUEUE_SET_AT_ONCE set_stats has the figures of
 * seenset_get_estimate: a set of up to 4 MiB is counted, and a larger one
 * modelled from the keys added to it; full_counters and overflow_bound are 0.
 * The set's file is mapped, and only its header, the pages that the estimate
 * reads, and those of the URLs logged after it are touched. So memory_bytes in
 * both structs is the mapping plus the URLs logged after it, which are kept as
 * exact hashes beside an expandable table. An exact set is loaded, as it is
 * small, and on a big-endian machine any set.
 *
 * Returns 0, SEENSET_EINVAL, SEENSET_ENOMEM, SEENSET_EIO, SEENSET_EFORMAT (not
 * a queue), SEENSET_EVERSION, SEENSET_EDAMAGED; SEENSET_ESECRET, SEENSET_EHASH
 * and SEENSET_EMISMATCH as seenset_queue_open; or the error of seenset_new for
 * a set that cannot be made.
 * Cost: time and memory of seenset_queue_open (the set is read whole, and the
 * log after its last snapshot); with SEENSET_QUEUE_SET_AT_ONCE only that of
 * reading the log. It starts over if a checkpoint of another process removed a
 * file that was about to be read; after 32 times it returns the last error.
 */
SEENSET_API int seenset_queue_look(const char *dir,
                                   const seenset_queue_options *options,
                                   seenset_queue_stats *out, size_t out_bytes,
                                   seenset_stats *set_stats,
                                   size_t set_stats_bytes);

/*
 * seenset_queue_list of the queue in folder `dir`, which others may have open,
 * as seenset_queue_look sees it: no lock is taken, and leases are as they were
 * written to disk. Items that another process acks during the call may be left
 * out. `visit` may call anything. The set is read as with
 * SEENSET_QUEUE_SET_AT_ONCE.
 * Returns as seenset_queue_list, or an error of seenset_queue_look.
 */
SEENSET_API int seenset_queue_look_list(const char *dir,
                                        const seenset_queue_options *options,
                                        seenset_queue_visit_function *visit,
                                        void *context);

/* ---- checking and repairing ---- */

/*
 * Reads and checks every byte of a queue, which must not be open; changes
 * nothing. Fills in options->report, whatever it returns but SEENSET_EINVAL.
 * Returns 0 (sound, up to an unfinished record at the very end),
 * SEENSET_EDAMAGED, or an error of seenset_queue_open, such as SEENSET_ESECRET
 * for a keyed queue whose secret is not given.
 */
SEENSET_API int seenset_queue_verify(const char *dir,
                                     const seenset_queue_options *options);

/*
 * Makes a damaged queue usable again: skips damaged parts of the log, whose
 * items are lost (report->lost_items), removes damaged snapshots, and makes the
 * set again from the snapshots and the log that are left. A sound queue is not
 * changed. Fills in options->report with what was found.
 * Returns 0, or an error of seenset_queue_open. A damaged MANIFEST cannot be
 * repaired.
 */
SEENSET_API int seenset_queue_repair(const char *dir,
                                     const seenset_queue_options *options);

/* ---- another queue of the same items ---- */

/*
 * Stores the next URL that is to be seen in a new queue; it must stay valid
 * until the next call. context is the one in the options. Returns 1, 0 (there
 * are no more), or a negative number, which ends the call that asked.
 */
typedef int seenset_queue_seen_function(void *context, const void **url,
                                        size_t *url_len);

/* For seenset_queue_remake_options.flags: drop the record of which URLs the
 * queue has seen. */
#define SEENSET_QUEUE_FORGET_SEEN (UINT32_C(1) << 23)

/* How seenset_queue_remake makes a queue from another. Start from {0}. */
typedef struct seenset_queue_remake_options {
    const seenset_queue_options *from;      /* of the queue that exists, as for
                                               seenset_queue_look */
    const seenset_queue_options *to;        /* of the new one: of its flags
                                               SEENSET_QUEUE_EXACT is used, and
                                               durability, the seconds and
                                               snapshot_bytes are not */
    seenset_queue_seen_function *next_seen; /* NULL, or more URLs that were
                                               seen */
    void *next_seen_context;
    uint32_t flags;       /* SEENSET_QUEUE_FORGET_SEEN; default none */
    uint32_t reserved32;  /* must be 0 */
    uint64_t reserved[4]; /* must be 0 */
} seenset_queue_remake_options;

/* What seenset_queue_remake did. */
typedef struct seenset_queue_remade {
    uint64_t moved_items;    /* that are in the new queue */
    uint64_t leased_items;   /* of these: under a lease of the old one */
    uint64_t joined_items;   /* not moved: an earlier item has the same URL, as
                                the new queue spells it */
    uint64_t left_out_items; /* not moved: not a URL, and the new queue
                                normalises; or too long once normalised */
    uint64_t seen_urls;      /* of next_seen, that were new to the set */
    uint64_t refused_urls;   /* of next_seen, that are not URLs */
    bool is_seen_kept;       /* everything the old queue has seen is seen */
    uint8_t reserved[7];     /* 0 */
} seenset_queue_remade;

/*
 * Makes a queue in folder `new_dir` from the one in `dir`, with other options:
 * another size, rate, window, normalisation or kind of set. Whatever
 * options->to leaves NULL or 0 is as in `dir`, the secret too, and the kind of
 * set unless a layout, a scheme, a secret, a window or SEENSET_QUEUE_EXACT
 * changes it. Arguments of a scheme are kept with the scheme. If options->to
 * names a scheme, only its own arguments count, so it can drop a seed.
 *
 * The new queue has all items that are not acked, in their order, with data,
 * priority, how often they were handed out, and the delays that have not ended.
 * Within a priority, items that were handed out before come first. Leases end:
 * their items can be handed out at once. Numbers of items go on from those of
 * `dir`, so no lease of `dir` is a lease of the new queue; pushed_items and
 * acked_items go on too, and count each item that was moved once more. If
 * another normalisation makes the URLs of several items equal, only the first
 * is moved.
 *
 * A polite queue of a polite one has its hosts' settings, blocks, delays and
 * counts, unless a host is something else there (seenset_queue_politeness.by).
 * A polite queue of another one counts the items that are moved. Moving refuses
 * none for a budget.
 *
 * The set is kept if the new one can take it: a set that grows takes any of its
 * layout (seenset_merge), and an exact queue gives its URLs to any set. It
 * cannot be kept if URLs are spelled otherwise, hashed otherwise or to be
 * exact, or if a filter or a window that does not grow is to become another.
 * Then the call returns SEENSET_EMISMATCH, unless next_seen supplies the URLs
 * or the flags have SEENSET_QUEUE_FORGET_SEEN. Pending URLs are always seen. A
 * forgotten URL stays forgotten unless next_seen supplies it.
 *
 * `dir` is locked during the call, and not changed. `new_dir` is made if its
 * parent exists, and must be empty. Its MANIFEST is written last, so it becomes
 * a queue whole or not at all; after a crash its files are refused as a queue.
 *
 * Fills in the first out_bytes bytes of *out, as seenset_queue_get_stats; out
 * may be NULL. Returns 0; SEENSET_EINVAL; SEENSET_EMISMATCH (the report of
 * options->from has why); SEENSET_EFULL, SEENSET_ERATE or SEENSET_ETOOBIG (the
 * new set does not take all); what next_seen returned; SEENSET_EFORMAT (new_dir
 * is not empty; the report of options->to names a file); or an error of
 * seenset_queue_open or seenset_queue_list.
 * Cost: reads the set and the pending part of the log, and writes both; memory
 * for both sets, and with another normalisation for the pending URLs.
 */
SEENSET_API int
seenset_queue_remake(const char *dir, const char *new_dir,
                     const seenset_queue_remake_options *options,
                     seenset_queue_remade *out, size_t out_bytes);

#ifdef __cplusplus
}
#endif
#endif
