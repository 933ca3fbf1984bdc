/*
 * away.h - what delayed items need more in a polite queue: a link, while they
 * are in a file (away.c).
 */
#ifndef SS_QUEUE_DELAYED_AWAY_H
#define SS_QUEUE_DELAYED_AWAY_H

#include "items/in_order.h"
#include "queue/handle.h"

/* Items of a lane go to a file: each gets a link. In a queue that is not polite
 * there is nothing to do. Returns 0, or an error of scratch: nothing changed.
 */
int ss_away_put(seenset_queue *queue, const ss_lane *lane,
                const ss_in_order *list);

/* An item comes back, and has an entry in its lane's leases. Returns 0, an
 * error of scratch, or SEENSET_EDAMAGED (it is not of a file). */
int ss_away_bring(seenset_queue *queue, unsigned lane, uint64_t item,
                  ss_leased_item **out);

/* Was an item, which is pending, handed out before? 1, 0 or an error. */
int ss_away_was_out(const seenset_queue *queue, unsigned lane, uint64_t item);

/* The host of an item in a file. Returns 0 or an error, as ss_away_bring. */
int ss_away_host(const seenset_queue *queue, uint64_t item, uint32_t *host);

#endif
