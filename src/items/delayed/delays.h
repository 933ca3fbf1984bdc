/*
 * delays.h - the runs of a lane (run.h), as one list of delayed items.
 *
 *     run 3   . . . 12:00 12:40 13:10        . is taken
 *     run 7   . 12:05 12:06 19:00
 *     run 8   12:04 12:30                    12:00 is the first of all
 *
 * The first item is the earliest of the runs' first ones. It is taken by moving
 * on in its run; a run that is at its end is closed. So nothing is written when
 * an item is taken, and memory follows the runs: two blocks of 4 KiB each.
 *
 * A lane has few runs, since those that are small are merged into larger ones,
 * FAN at a time. A large run is never merged: its items would be copied again
 * and again, and merging would take longer than a call may. So an item is
 * written at most three times, and a lane has at most 16 small runs and one for
 * each 64 (of the smallest runs) of large ones.
 *
 * Items that were acked after the newest state are known from the log when the
 * queue is opened, and the runs of that state still have them. They are `gone`:
 * passed wherever they come.
 */
#ifndef SS_ITEMS_DELAYED_DELAYS_H
#define SS_ITEMS_DELAYED_DELAYS_H

#include "items/delayed/run.h"
#include "items/ranges.h"

typedef struct ss_delays {
    ss_run *runs; /* by number, ascending */
    size_t count, room;
    uint64_t items; /* in all of them, not taken and not gone */
    ss_ranges gone;
} ss_delays;

/* Closes all runs; there is none any more. */
void ss_delays_clear(ss_delays *delays, const ss_run_files *files);

/* Room for one more run. False: no memory. */
bool ss_delays_reserve(ss_delays *delays, const ss_memory *memory);

/* Adds a run that was opened, for which there is room; its items are not
 * counted. */
void ss_delays_add(ss_delays *delays, const ss_run *run);

/* Errors here and below are those of ss_run_read. */

/* The first item: 1, 0 (there is none) or an error. *run becomes its run. */
int ss_delays_first(ss_delays *delays, const ss_run_files *files, ss_delay *out,
                    size_t *run);

/* Takes the first item of a run, which was found so. */
void ss_delays_take(ss_delays *delays, const ss_run_files *files, size_t run);

/* The item with the lowest number that is `from` or higher: 1, 0 or an error.
 */
int ss_delays_next(ss_delays *delays, const ss_run_files *files, uint64_t from,
                   ss_delay *out);

/* Shows all items, run by run; of each run by number. Stops after a visit that
 * does not return 0. Returns 0, what the visit returned, or an error. Cost:
 * each run is read once, however many there are. */
typedef int ss_delays_visit(void *context, const ss_delay *delay);

int ss_delays_each(ss_delays *delays, const ss_run_files *files,
                   ss_delays_visit *visit, void *context);

/* How many are due after now, and when the first of these is. */
typedef struct ss_delays_figures {
    uint64_t delayed;
    uint64_t next_ns; /* UINT64_MAX: there is none */
} ss_delays_figures;

int ss_delays_count(ss_delays *delays, const ss_run_files *files,
                    uint64_t now_ns, ss_delays_figures *out);

/* The lowest position that an item of them may have, or UINT64_MAX. */
uint64_t ss_delays_floor(const ss_delays *delays);

uint64_t ss_delays_bytes(const ss_delays *delays);

/* Merges runs once, if there are enough small ones: of less than `least` items,
 * or of less than SS_DELAYS_FAN of these. *is_merged: the new run, `number`, is
 * there, and those that it replaces are closed. Returns 0, or an error of
 * ss_run_read or ss_run_finish: nothing changed. */
enum {
    SS_DELAYS_FAN = 8
};

int ss_delays_merge(ss_delays *delays, const ss_run_files *files,
                    uint64_t least, uint64_t number, bool *is_merged);

#endif
