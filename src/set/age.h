/* age.h - how old the tables of a window by age are; window.c has the idea of
 * spans and clocks */
#ifndef SS_SET_AGE_H
#define SS_SET_AGE_H

#include "set/set.h"

/* Is it a window by age? */
static inline bool ss_window_is_by_age(const seenset *set)
{
    return set->window_seconds > 0;
}

/* How long a span takes keys. */
uint64_t ss_age_of_span(const seenset *set);

/* Seconds for which a table has been there, as far as its stamps can tell. */
uint64_t ss_age_of(const ss_generation *generation, uint64_t now);

/* Is generation i past its time? Its keys are forgotten then. */
bool ss_age_is_over(const seenset *set, uint32_t i, uint64_t now);

#endif
