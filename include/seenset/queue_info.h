/*
 * seenset/queue_info.h - what is in an open queue: figures, and items.
 *
 * seenset/queue.h includes this header, and has the rules for threads and
 * for errors.
 */
#ifndef SEENSET_QUEUE_INFO_H
#define SEENSET_QUEUE_INFO_H

#include "seenset/info.h"
#include "seenset/queue_options.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SEENSET_QUEUE_PRIORITIES = 10 /* 0 to 9 */
};

/* ---- figures ---- */

/* The figures of a queue. */
typedef struct seenset_queue_stats {
    seenset_queue_durability durability;
    seenset_queue_normalise normalise;
    uint64_t pending_items; /* not acked, and not under a lease now */
    uint64_t leased_items;  /* under a lease that has not ended */
    uint64_t pushed_items;  /* ever answered "new" */
    uint64_t acked_items;   /* ever acked */
    uint64_t dropped_items; /* answered "seen"; close and checkpoint save the
                               count, and a crash loses later changes of it */
    uint64_t refused_items; /* answered SEENSET_EFULL; saved as dropped_items */
    uint64_t not_url_items; /* answered SEENSET_EURL; saved as dropped_items */
    double wrong_items;     /* expected number of new URLs dropped as seen,
                               computed from the size of each table of the set
                               and the keys added to it, not from its bits;
                               windows: of the URLs they remember; exact: 0 */
    double seconds_to_full; /* until the set, if it grows with the tables it
                               has by now, holds capacity_items URLs, at the
                               rate since it was opened; infinite for windows
                               and for sets without a capacity */
    uint64_t log_bytes;     /* size of the log files */
    uint64_t segment_count; /* log files */
    uint64_t unsynced_bytes;     /* of the log, not yet known to be durable */
    uint64_t torn_bytes;         /* cut off the log's end when it was opened */
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
    bool is_wrong_at_least; /* wrong_items is not known, and this is the least
                               that it can be: see seenset_estimate */
    uint8_t reserved[7];    /* 0 */
    /* What the scheme of the set was given, as in seenset_info: */
    uint64_t seed;
    uint32_t unit_bits;
    uint32_t seed_count;
    uint32_t seeds[SEENSET_MAX_HASH_COUNT]; /* seed_count of them, else 0 */
    uint32_t reserved32;                    /* 0 */
    double seconds_to_next; /* until pop may hand out an item: 0, now; infinite,
                               only after a push, an ack or a nack */
    /* Of a polite queue; 0 in others: */
    uint64_t host_count;        /* hosts that are remembered: they have URLs,
                                   settings, a count for a budget, or a delay
                                   that has not ended */
    uint64_t over_budget_items; /* answered SEENSET_EBUDGET; saved as
                                   dropped_items */
    double delay_seconds;       /* the rules that it was made with, as in */
    uint64_t budget;            /* seenset_queue_politeness */
    uint32_t host_leases;       /* 0: the queue is not polite */
    seenset_url_site_kind hosts_by;
    bool is_delay_from_start;
    uint8_t reserved2[7]; /* 0 */
} seenset_queue_stats;

/*
 * Fills in the first out_bytes bytes of *out; give sizeof *out.
 * Returns 0, SEENSET_EINVAL (NULL, or out_bytes is 0) or SEENSET_EIO (a file of
 * delayed items cannot be read).
 * Cost: constant, and a step for each lease or delay that has ended and whose
 * item was not handed out since; some reads of 4 KiB in each file of delayed
 * items. It reads no bit of the set.
 */
SEENSET_API int seenset_queue_get_stats(seenset_queue *queue,
                                        seenset_queue_stats *out,
                                        size_t out_bytes);

/*
 * The figures of the queue's set, as seenset_get_stats. An exact set has
 * SEENSET_LAYOUT_DEFAULT, no tables and no bits; added_items and
 * estimated_items are its URLs, memory_bytes is their memory, and its rates and
 * wrong_items are 0.
 * Returns 0 or SEENSET_EINVAL (NULL, or out_bytes is 0).
 * Cost: reads every bit of the set. Pushes wait for it.
 */
SEENSET_API int seenset_queue_get_set_stats(seenset_queue *queue,
                                            seenset_stats *out,
                                            size_t out_bytes);

/*
 * The same figures at once, as seenset_get_estimate.
 * Returns 0 or SEENSET_EINVAL (NULL, or out_bytes is 0).
 * Cost: reads at most 4 or 16 MiB of the set, while pushes wait; then the
 * arithmetic of seenset_get_estimate, while they do not.
 */
SEENSET_API int seenset_queue_get_set_estimate(seenset_queue *queue,
                                               seenset_estimate *out,
                                               size_t out_bytes);

/*
 * What the queue's set is, as seenset_get_info. An exact set has
 * SEENSET_LAYOUT_DEFAULT, and a capacity_items of 1,000,000 unless another was
 * given.
 * Returns 0 or SEENSET_EINVAL (NULL, or out_bytes is 0). Cost: constant.
 */
SEENSET_API int seenset_queue_get_set_info(seenset_queue *queue,
                                           seenset_info *out, size_t out_bytes);

/* ---- items ---- */

/*
 * An item that was handed out. Start from {0}. pop fills it in, and uses its
 * memory again for the next item; seenset_queue_item_free frees it. url and
 * data are valid until then, also after the queue is closed; the byte after
 * each is 0.
 */
typedef struct seenset_queue_item {
    uint64_t lease;      /* for ack, nack and extend */
    uint64_t number;     /* of the item: how many were pushed before it */
    uint32_t deliveries; /* 1 the first time; begins again at 1 after
                            SEENSET_QUEUE_VISITED, and when the queue is
                            opened without SEENSET_QUEUE_KEEP_LEASES */
    uint32_t priority;   /* 0 to 9 */
    const void *url;     /* as stored: normalised if the queue does that */
    size_t url_len;
    const void *data;
    size_t data_len;
    void *memory; /* private, up to allocator */
    size_t memory_bytes;
    seenset_allocator allocator;
    const void *host; /* of a polite queue: a part of url; others: NULL */
    size_t host_len;
    uint64_t reserved[2]; /* 0 */
} seenset_queue_item;

/* Frees the memory of an item, which is {0} again. NULL is allowed. It may be
 * called after the queue is closed. */
SEENSET_API void seenset_queue_item_free(seenset_queue_item *item);

/*
 * Fills in the item that pop would hand out now, without handing it out. Its
 * lease is 0, and deliveries counts how often it was handed out before.
 * Returns as seenset_queue_pop.
 */
SEENSET_API int seenset_queue_peek(seenset_queue *queue,
                                   seenset_queue_item *item);

/*
 * Fills in the item that was handed out under a lease. The lease stays valid.
 * For callers that kept only the lease and need the URL.
 * Returns 0; SEENSET_ELEASE (it is not a lease, or it has ended); or an error
 * of seenset_queue_pop.
 */
SEENSET_API int seenset_queue_get_leased(seenset_queue *queue, uint64_t lease,
                                         seenset_queue_item *item);

/* What keeps an item that is not acked. */
typedef enum seenset_queue_item_state {
    SEENSET_QUEUE_ITEM_WAITING = 1, /* nothing: pop may hand it out now, or in
                                       a polite queue when its host's turn
                                       comes */
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
    uint32_t reserved32; /* 0 */
    double seconds;      /* until its lease or delay ends; 0 if it waits */
    const void *url;     /* valid until visit returns, as data is; the byte */
    size_t url_len;      /* after each is 0 */
    const void *data;
    size_t data_len;
    uint64_t reserved[4]; /* 0 */
} seenset_queue_listed;

/*
 * Receives each item in turn. context is the one given to the call. Any number
 * but 0 ends the walk, which returns it; return a positive number, so that it
 * differs from an error.
 */
typedef int seenset_queue_visit_function(void *context,
                                         const seenset_queue_listed *item);

/*
 * Shows every item that is not acked to `visit`: the highest priority first,
 * and within a priority the oldest first. It takes no lease and changes
 * nothing. Other calls may run at the same time; `visit` may make them too, but
 * not close. An item that is there throughout is shown once; one that is
 * pushed, acked or rolled back during the walk may be shown or not.
 * Returns 0; what `visit` returned; SEENSET_EINVAL, SEENSET_EIO,
 * SEENSET_ENOMEM, SEENSET_EPOISONED or SEENSET_EDAMAGED (as of pop).
 * Cost: reads the log from the oldest item on, once for each priority that has
 * items; 256 KiB of memory, or two items' bytes.
 */
SEENSET_API int seenset_queue_list(seenset_queue *queue,
                                   seenset_queue_visit_function *visit,
                                   void *context);

#ifdef __cplusplus
}
#endif
#endif
