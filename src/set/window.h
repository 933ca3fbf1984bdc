/* window.h - windows by age; the idea is in window.c */
#ifndef SS_SET_WINDOW_H
#define SS_SET_WINDOW_H

#include "set/age.h"
#include "set/set.h"

/*
 * Plans the first table of an empty window by age; plan->layout is set.
 * 0, or what seenset_plan_solve returns.
 */
int ss_window_plan_first(seenset_plan *plan, const ss_set_params *kind);

/* How many tables, the last ones of the list, the newest span has. */
uint32_t ss_window_newest_count(const seenset *set);

/* Would an add begin a span now? */
bool ss_window_is_span_due(const seenset *set, uint64_t now);

/* Would an add change more than the newest table now: forget a table, begin a
 * span, note a start in the future? False of a set that is no window by age. */
bool ss_window_would_turn(const seenset *set, uint64_t now);

/*
 * To be called before keys are added: looks at the clock, forgets what is past
 * its time, and begins a span when it is time. 0, or why a span that is due
 * could not begin (SEENSET_ENOMEM, SEENSET_ETOOBIG, SEENSET_ERATE): then no new
 * key may be added.
 */
int ss_window_expire(seenset *set, uint64_t now);

/* The first part of that: looks at the clock and forgets. A set that slept has
 * one empty table then. */
void ss_window_correct_clock(seenset *set, uint64_t now);

/* Gives the newest span one table more. As ss_window_expire. */
int ss_window_grow(seenset *set);

/* Takes in all tables of a window of the same kind. 0, SEENSET_ENOMEM or
 * SEENSET_ETOOBIG, with all keys as they were. */
int ss_window_merge(seenset *into, const seenset *from);

#endif
