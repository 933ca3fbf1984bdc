/*
 * polite.h - what a polite queue does besides what all queues do.
 *
 * A queue that is not polite has no frontier (handle.h), and nothing here is
 * called for it, or it does nothing. In a polite one
 *
 *     a push      reserves room for its host, and goes to the frontier, too
 *     a pop       settles what has ended, and takes what the frontier says
 *     an ack      and a nack end the item at its host
 *
 * The frontier counts in ms of the steady clock. What begins something is
 * rounded up, and what ends it down, so no host is asked too early.
 *
 * Hand-outs have no records. So that a restart knows whether there were any
 * that no state has, the first one after each state is preceded by a HANDED
 * record, durably; and so is the first nack, which has no record either. If the
 * log has one after the state, or an ack, every host with items counts as asked
 * when the queue is opened.
 */
#ifndef SS_QUEUE_POLITE_H
#define SS_QUEUE_POLITE_H

#include "queue/handle.h"

#define SS_MS_NS UINT64_C(1000000)

static inline uint64_t ss_polite_ms_down(uint64_t ns)
{
    return ns / SS_MS_NS;
}

static inline uint64_t ss_polite_ms_up(uint64_t ns)
{
    return ns / SS_MS_NS + (ns % SS_MS_NS > 0);
}

/* From when a delay counts. Without one there is nothing to wait for, not even
 * the rest of that millisecond. */
static inline uint64_t ss_polite_from_ms(uint64_t ns, uint64_t delay_ms)
{
    return delay_ms == 0 ? ss_polite_ms_down(ns) : ss_polite_ms_up(ns);
}

/* Makes the frontier that the manifest asks for, if it does. Returns 0 or
 * SEENSET_ENOMEM. */
int ss_polite_start(seenset_queue *queue);

/* Its frontier counts what is in each segment of the log, from now on. Returns
 * 0 or SEENSET_ENOMEM. */
int ss_polite_watch_segments(seenset_queue *queue);

/* ---- with the mutex held ---- */

/* Room for an item of the next number, before it is appended; is_moved: it
 * comes from another queue, whatever its host's budget. Returns 0,
 * SEENSET_EBUDGET, SEENSET_ENOMEM or SEENSET_EIO. */
int ss_polite_reserve(seenset_queue *queue, const void *url, size_t url_len,
                      bool is_moved);

/* The item by its number, if it was handed out, or NULL. */
ss_leased_item *ss_polite_leased(const seenset_queue *queue, uint64_t item);

/* Where the record of an item is. Returns 1, 0 (it is not pending) or an error
 * of scratch. */
int ss_polite_position(const seenset_queue *queue, uint64_t item,
                       uint64_t *position);

/* Before an item is handed out, or given back: is it known that some may be?
 * May let go of the mutex. Returns 0, SEENSET_EIO, SEENSET_ENOMEM or
 * SEENSET_EPOISONED. */
int ss_polite_mark(seenset_queue *queue);

/* An item of a host that waits is handed out: its entry, and its link if it was
 * never handed out before, else NULL. */
void ss_polite_hand_out(seenset_queue *queue, ss_leased_item *entry,
                        const ss_link *link, uint64_t now_ns);

/* The lease of an item ends. */
void ss_polite_end(seenset_queue *queue, ss_leased_item *entry, uint64_t at_ns,
                   bool is_tried);

/* The worker of an item whose lease had ended came back: the item is not in its
 * host's chain any more. */
void ss_polite_recall(seenset_queue *queue, ss_leased_item *entry,
                      uint64_t now_ns);

/* Its lease goes on. False: its host has as many out as it may. */
bool ss_polite_extend(seenset_queue *queue, ss_leased_item *entry,
                      uint64_t now_ns);

/* An item that was handed out is acked. */
void ss_polite_ack(seenset_queue *queue, ss_leased_item *entry,
                   uint64_t now_ns);

/* The next time at which pop may hand something out, on the steady clock;
 * UINT64_MAX: never, unless it is pushed, acked or nacked. */
uint64_t ss_polite_next_ns(const seenset_queue *queue);

/* Before an item gets a lease: 0 or SEENSET_ENOMEM. */
int ss_polite_reserve_lease(seenset_queue *queue);

/* ---- again.c: items that were handed out, and wait again ---- */

/* An item whose lease, or delay, has ended waits for its host's turn. */
void ss_again_add(seenset_queue *queue, ss_leased_item *entry, bool is_held);

/* An item does not wait any more: it is handed out, or its worker came back. */
void ss_again_remove(seenset_queue *queue, ss_leased_item *entry);

/* ---- a setting of a host ---- */

enum {
    SS_SETS_DELAY = 1, /* as the record has them */
    SS_SETS_BLOCK = 2,
    SS_SETS_BUDGET = 4
};

typedef struct ss_host_setting {
    const void *name;
    size_t name_len;
    uint32_t sets;
    uint64_t delay_ms, budget; /* SS_FRONTIER_USUAL; 0: as all */
    uint64_t until_ns;         /* on the clock of now */
    uint32_t host;             /* of the frontier, once it is prepared; */
    ss_host_own *own;          /* and room for what it will have */
} ss_host_setting;

/* Takes all the memory that the setting needs: 0 or SEENSET_ENOMEM. Then it is
 * made, or cancelled. */
int ss_polite_prepare(seenset_queue *queue, ss_host_setting *setting);
void ss_polite_set(seenset_queue *queue, const ss_host_setting *setting,
                   uint64_t now_ns);
void ss_polite_cancel(seenset_queue *queue, const ss_host_setting *setting);

#endif
