/*
 * delayed.h - delayed items go to runs, and come back when they are due.
 *
 * A state lists the items that were handed out and are not acked, and each
 * command reads and writes a state. With ten million delayed items it would
 * have them all. So when a lane has more of them than `run_items`, they are
 * written to a run (items/delayed/run.h), and the next state has its name.
 *
 *     leases    few          --- nack, or a state --->     runs
 *               the one that is due first  <--- pop ---
 *
 * Nothing rests on a run before a state names it. A crash before leaves the
 * items to the state before, or to the log. A run is removed once it is at its
 * end, or was merged, and neither of the two states that are kept names it; one
 * that no state names, when the queue is opened. A run that is damaged makes
 * the states that name it unreadable, like damage in themselves: without a
 * state all that is not acked follows from the log, and only the delays are
 * lost.
 *
 * In a polite queue an item has a link while it is in a run, too (away.h). In
 * memory there is no disk: there all delayed items stay in leases.
 */
#ifndef SS_QUEUE_DELAYED_DELAYED_H
#define SS_QUEUE_DELAYED_DELAYED_H

#include "items/state.h"
#include "queue/handle.h"

/* Once the manifest is known. */
void ss_delayed_init(seenset_queue *queue);

/* What of a lane is due first, of leases and runs, is in leases, if it is due
 * now. Returns 0, an error of ss_run_read or SEENSET_ENOMEM. */
int ss_delayed_bring(seenset_queue *queue, ss_lane *lane, uint64_t now_ns);

/* After items were given back, and before a state is made: if a lane has too
 * many in leases, they go to a run, which is synced with the mutex held. What
 * cannot be written stays in leases. Returns 0, or SEENSET_EIO after a sync
 * that failed. */
int ss_delayed_spill(seenset_queue *queue);

/* ---- a queue that is made of another ---- */

/* If so many items of the old one were handed out that some may go to runs, the
 * manifest of the new one, which is written last, says so. */
void ss_delayed_remake(const seenset_queue *from, seenset_queue *to);

/* An item of a lane was added to the new one: too many go to runs, if its
 * manifest says so. As ss_delayed_spill. */
int ss_delayed_remade(seenset_queue *to, const ss_lane *lane);

/* ---- states ---- */

/* Lists the runs in a state. Their array is to be freed with
 * ss_delayed_free_list. 0 or SEENSET_ENOMEM. */
int ss_delayed_list(seenset_queue *queue, ss_state *state);
void ss_delayed_free_list(const seenset_queue *queue, ss_state *state);

/* The numbers of a state's runs. False: no memory. */
bool ss_delayed_names(ss_positions *names, const ss_memory *memory,
                      const ss_state *state);

/* A state was written, the last that was listed: files that no state needs any
 * more are removed. */
void ss_delayed_written(seenset_queue *queue, bool is_same_position);

/* It was not written. */
void ss_delayed_not_written(seenset_queue *queue);

/* Files that no state needs are removed, after an opening. */
void ss_delayed_remove_unnamed(seenset_queue *queue);

/* All that were made in this handle, and can be removed: there is no queue. */
void ss_delayed_remove_all(const seenset_queue *queue);

#endif
