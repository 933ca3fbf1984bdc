/*
 * clean.h - the log of a polite queue stays short.
 *
 * Its items are not handed out in the order of the log. So one host that is
 * slow keeps an item in each segment, and all of the log would stay until the
 * last of them is acked. As in a log-structured file system (Rosenblum and
 * Ousterhout 1992), what is left in the oldest segments is written again at the
 * end, in MOVED records (record.h):
 *
 *     | 4 . . . | . . 7 . | 9 8 . 6 | 5 3 . . .      . is done
 *       |             |
 *       +-------------+-----------------------> 4 7
 *
 * Then nothing in them is needed, and they are removed as all others are: once
 * two states are of later positions, whose items are where they were moved to,
 * durably. The log stays one row of bytes without a gap, and an item is where
 * its last record is. After a crash at any moment an item has one record or
 * both, and an ack is of the item, wherever it is.
 *
 * With L bytes from the oldest item on, V of them of items that are not acked,
 * it begins when L is over 7/4 V and two segments, always with the oldest. Once
 * it has gone through all that was there, at most V bytes were written, and at
 * least 3/4 V are free. Each byte that is appended or acked lets it look at 16
 * bytes, so a pass is over before a ninth of V has changed, and L is at most
 * 7/4 / (1 - 1/9) V, under 2 V, and some segments at any time. This is done in
 * small steps, at the end of calls that push or ack. Beginning earlier would
 * move more: where a crawl takes its items in the order of the log, a pass
 * would move items shortly before they are acked.
 *
 * The first item that is moved makes the queue one that older releases refuse
 * (ss_create_moved). A queue in memory frees segments in the middle, and needs
 * none of this.
 */
#ifndef SS_QUEUE_CLEAN_CLEAN_H
#define SS_QUEUE_CLEAN_CLEAN_H

#include "queue/handle.h"

/* Takes a step if it is time. May let go of the mutex. What fails is tried
 * again by a later one; errno stays as it was. */
void ss_clean_if_due(seenset_queue *queue);

/* The same before the queue is closed, however little has changed: or else
 * short commands would never take one. */
void ss_clean_at_end(seenset_queue *queue);

/* After a folder was opened for use. Before that, and in a repair, nothing is
 * moved. */
void ss_clean_begin(seenset_queue *queue);

/* Items whose new records can be read are there from now on; the log is
 * durable, so that is all of them. Returns 0 or an error of scratch. */
int ss_clean_settle(seenset_queue *queue);

#endif
