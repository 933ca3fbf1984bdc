/*
 * seenset/queue_hosts.h - the hosts of a polite queue: settings and figures.
 *
 * A polite queue is one that was made with seenset_queue_options.politeness.
 * pop hands out only items of hosts that may be asked now:
 *
 *     at most host_leases of a host are leased at a time;
 *     two of a host are a delay apart: its own, or that of all;
 *     a host that is blocked is not asked until the block ends.
 *
 * Of the hosts that may be asked, those with an item of the highest priority
 * come first. Among these the one whose turn is oldest is next, and a host's
 * turn moves on by its delay with each hand-out: a host that comes late does
 * not wait for another's backlog. Within a host and a priority, items whose
 * lease or delay has ended come first, then the oldest. An item that was given
 * back untried starts no delay.
 *
 * A lease that has ended holds a place of its host no longer. Its item may
 * still be acked until it is handed out again; seenset_queue_extend of it
 * returns SEENSET_ELEASE if the host has as many out as it may.
 *
 * Delays hold over restarts. When a queue is opened after a crash, each host
 * that has items counts as asked at that moment: when it was asked is not on
 * the disk.
 *
 * seenset/queue.h includes this header, and has the rules for threads and for
 * errors. All calls may run beside all others.
 */
#ifndef SEENSET_QUEUE_HOSTS_H
#define SEENSET_QUEUE_HOSTS_H

#include "seenset/queue_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No budget of its own, and none of all, limits a host. */
#define SEENSET_QUEUE_ANY_BUDGET UINT64_MAX

/* Which settings seenset_queue_set_host changes. */
#define SEENSET_QUEUE_HOST_DELAY (UINT32_C(1) << 26)
#define SEENSET_QUEUE_HOST_BLOCK (UINT32_C(1) << 27)
#define SEENSET_QUEUE_HOST_BUDGET (UINT32_C(1) << 28)

/* What is to hold for one host. Start from {0}. */
typedef struct seenset_queue_host_settings {
    uint32_t flags;       /* SEENSET_QUEUE_HOST_DELAY, _BLOCK, _BUDGET: which
                             of the fields below are used; at least one */
    uint32_t reserved32;  /* must be 0 */
    double delay_seconds; /* such as a Crawl-delay: 0 to
                             SEENSET_QUEUE_MAX_HOST_DELAY_SECONDS; from the
                             next hand-out or end on */
    double block_seconds; /* such as a Retry-After: it is not asked for so
                             long, from now, 0 to 1e9; 0 ends a block, and the
                             host may be asked when its delay from now is
                             over */
    uint64_t budget;      /* URLs of it that are taken, ever: 1 or more, or
                             SEENSET_QUEUE_ANY_BUDGET */
    uint64_t reserved[4]; /* must be 0 */
} seenset_queue_host_settings;

/*
 * Sets what holds for a host, by its name as in seenset_queue_item.host, in any
 * case; it may be one that the queue does not know yet. A setting lasts until
 * it is set again: it is a record of the log. What is the queue's own value is
 * not a setting any more.
 * Returns 0; SEENSET_EINVAL (queue or settings is NULL; host is NULL and its
 * length is not 0, or the length is over SEENSET_QUEUE_MAX_ITEM_BYTES; it is a
 * whole URL, of which the host is a part; no flag or an unknown one; a field in
 * use that is negative, NaN, out of range, or a budget of 0; a reserved field
 * that is not 0); SEENSET_EUNSUPPORTED (the queue is not polite); SEENSET_EIO,
 * SEENSET_EPOISONED or SEENSET_ENOMEM.
 * Cost: as seenset_queue_push.
 */
SEENSET_API int
seenset_queue_set_host(seenset_queue *queue, const void *host, size_t host_len,
                       const seenset_queue_host_settings *settings);

/* A host, as seenset_queue_list_hosts shows it. */
typedef struct seenset_queue_host {
    const void *name;        /* valid until visit returns; the byte after it */
    size_t name_len;         /* is 0 */
    uint64_t pending_items;  /* not acked, and not under a lease now */
    uint64_t leased_items;   /* under a lease that has not ended */
    uint64_t taken_items;    /* pushed since it has a budget; 0 without one */
    uint64_t budget;         /* SEENSET_QUEUE_ANY_BUDGET: any number */
    double delay_seconds;    /* its own, or that of all */
    double seconds_to_ready; /* until its delay and block are over; 0: they
                                are */
    bool has_settings;       /* a delay or a budget of its own */
    uint8_t reserved8[7];    /* 0 */
    uint64_t reserved[4];    /* 0 */
} seenset_queue_host;

/* Receives each host in turn. context is the one given to the call. Any number
 * but 0 ends the walk, which returns it; return a positive number. */
typedef int seenset_queue_host_function(void *context,
                                        const seenset_queue_host *host);

/*
 * Shows the `most` hosts with the most pending items to `visit`, the most
 * first; most 0: all hosts that have items that are not acked, or settings.
 * `visit` may make other calls of the queue, but not close.
 * Returns 0; what `visit` returned; SEENSET_EINVAL (queue or visit is NULL);
 * SEENSET_EUNSUPPORTED (the queue is not polite); SEENSET_ENOMEM, SEENSET_EIO,
 * SEENSET_EPOISONED or SEENSET_EDAMAGED (as of pop: a name is read from the
 * log).
 * Cost: memory and a step for each host and lease, sorting them, and reading an
 * item of each that is shown.
 */
SEENSET_API int seenset_queue_list_hosts(seenset_queue *queue, size_t most,
                                         seenset_queue_host_function *visit,
                                         void *context);

/*
 * Fills in the figures of one host, by its name as for seenset_queue_set_host;
 * the first out_bytes bytes of *out; give sizeof *out. name is the caller's.
 * Returns 1; 0 (the queue does not know it: *out has what holds for a new one);
 * SEENSET_EINVAL; or SEENSET_EUNSUPPORTED (the queue is not polite).
 * Cost: constant, and a step for each lease or delay that has ended.
 */
SEENSET_API int seenset_queue_get_host(seenset_queue *queue, const void *host,
                                       size_t host_len, seenset_queue_host *out,
                                       size_t out_bytes);

#ifdef __cplusplus
}
#endif
#endif
