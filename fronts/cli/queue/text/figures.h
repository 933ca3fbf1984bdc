/*
 * figures.h - the figures of a queue as people and scripts read them.
 */
#ifndef QUEUE_TEXT_FIGURES_H
#define QUEUE_TEXT_FIGURES_H

#include <stdbool.h>

#include "queue/access/look.h"

/*
 * By the second, between two looks; NaN: there was one look only. Pops are not
 * counted in a queue's files: these are the items that left those pending, less
 * those that came back, because a lease ended or was given back.
 */
typedef struct figures_rates {
    double pushed, popped, acked;
} figures_rates;

/* Has the set as many URLs as it was planned for, and does not grow? */
bool figures_is_at_capacity(const seenset_stats *set);

figures_rates figures_between(const queue_look *before, const queue_look *after,
                              double seconds);

void figures_print(const queue_look *seen);

/* One line. rates may be NULL. */
void figures_print_json(const char *dir, const queue_look *seen,
                        const figures_rates *rates);

/* Without the end of the line. */
void figures_print_line(const queue_look *seen, const figures_rates *rates);

#endif
