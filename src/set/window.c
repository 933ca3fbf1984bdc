/*
 * window.c - windows by age: spans of tables, and when they are forgotten.
 *
 * A key is remembered for W seconds. Time is cut into spans of
 * S = ceil(W / (K - 1)) seconds, at most K of which are remembered, and the
 * rate p is shared out: b = p / K for each span. Its first table is planned
 * for c = ceil(n / (K - 1)) keys. However many come, the promise holds, as a
 * span grows like a set that grows: when its table is full, one that grows in
 * place (expanded.h) takes all further keys, at what is left of b.
 *
 *     forgotten <- | c | c, ... | c | c, .......       each |...| keeps b
 *                                    newest span
 *
 * So that a steady stream that was planned too small does not take many tables
 * a span, the first table of a span is planned for as many keys as the busiest
 * span that is remembered took, as c 2^j; when fewer come, tables are smaller
 * again. (Files of version 2 have spans whose first table was planned for all
 * of b. Until they are forgotten, a span that goes on with tables of its own b
 * makes the rate of all at most p + p / K.)
 *
 * A span takes keys for S seconds from its start and is forgotten after S + W,
 * so a key is remembered for W seconds at least and W + S at most. The tables
 * of one span have one started_seconds, which is how a span is known.
 *
 * *Time* is the clock's, and clocks are wrong at times. A start may be
 * in the future: the clock was ahead then, or is behind now, and nobody can
 * say which. The first add that finds one notes the time (noticed_seconds),
 * and from then on the table's age is the time since, until the clock passes
 * its start: then the start is believed again, as a clock that was put right.
 * So a clock put back never makes a set forget early, and a clock that was
 * ahead does not hold up time. After a clock was put back there can be K spans
 * whose time has begun again; then the newest goes on, as if it were new,
 * instead of one span more, and the rate is kept.
 */
#include "set/window.h"

#include <string.h>

#include "set/age.h"
#include "set/expanded.h"
#include "set/promise.h"

/* ---- time ---- */

/* When a start that is in the future was first known to be; 0 means no note,
 * so a 0 becomes 1. */
static uint64_t note_of(const ss_generation *generation, uint64_t now)
{
    uint64_t note = now > 0 ? now : 1;
    if (generation->started_seconds <= now)
        return 0;
    uint64_t old = generation->noticed_seconds;
    return old == 0 || old > note ? note : old;
}

static void notice(seenset *set, uint64_t now)
{
    for (uint32_t i = 0; i < set->generation_count; i++)
        set->generations[i].noticed_seconds =
            note_of(&set->generations[i], now);
}

/* The table that is kept in any case: a set has one, and not only one that
 * follows the first of its span. */
static uint32_t last_to_keep(const seenset *set)
{
    uint32_t last = set->generation_count - 1;
    while (last > 0 && set->generations[last].table.expand != NULL)
        last--;
    return last;
}

/* Gives back all tables that are past their time, but that one. */
static void forget(seenset *set, uint64_t now)
{
    uint32_t last = last_to_keep(set);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        if (i != last && ss_age_is_over(set, i, now))
            ss_set_free_words(set, i);
        else
            set->generations[kept++] = set->generations[i];
    }
    if (kept == set->generation_count)
        return;
    set->generation_count = kept;
    ss_set_choose_kind(set);
}

/* ---- spans ---- */

static bool are_of_one_span(const ss_generation *a, const ss_generation *b)
{
    return a->started_seconds == b->started_seconds &&
           a->noticed_seconds == b->noticed_seconds;
}

/* The end of the span whose first table is generation `first`. */
static uint32_t span_end(const seenset *set, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < set->generation_count &&
           are_of_one_span(&set->generations[first], &set->generations[end]))
        end++;
    return end;
}

static uint32_t count_spans(const seenset *set)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->generation_count; i = span_end(set, i))
        count++;
    return count;
}

uint32_t ss_window_newest_count(const seenset *set)
{
    const ss_generation *newest = ss_set_newest(set);
    uint32_t count = 1;
    while (count < set->generation_count &&
           are_of_one_span(newest - count, newest))
        count++;
    return count;
}

/* The most keys that a span took. */
static uint64_t busiest_span(const seenset *set, uint64_t now)
{
    uint64_t most = 0;
    for (uint32_t i = 0, end; i < set->generation_count; i = end) {
        uint64_t sum = 0; /* at most 256 times 2^53 */
        end = span_end(set, i);
        for (uint32_t j = i; j < end && !ss_age_is_over(set, j, now); j++)
            sum += set->generations[j].added_items;
        most = sum > most ? sum : most;
    }
    return most;
}

/* ---- planning ---- */

/* The keys a span's first table is for, when all come as planned: c. */
static uint64_t planned_items(uint64_t window_items, uint32_t generations)
{
    uint64_t full_ones = generations - 1;
    return (window_items + full_ones - 1) / full_ones;
}

int ss_window_plan_first(seenset_plan *plan, const ss_set_params *kind)
{
    seenset_plan first = {.layout = plan->layout,
                          .capacity_items = planned_items(
                              kind->capacity_items, kind->window_generations)};
    int error =
        ss_promise_plan_first(&first, kind->fp_rate / kind->window_generations);
    if (error == SEENSET_OK)
        *plan = first;
    return error;
}

static double span_rate(const seenset *set)
{
    return set->fp_rate / set->window_generations;
}

/*
 * How many of the newest span's tables count for the rate of the next. Those at
 * its front that came with a merge or from an old file brought a rate of their
 * own, which may be all of the span's or more: then they do not.
 */
static uint32_t counted_tables(const seenset *set)
{
    const ss_generation *newest = ss_set_newest(set);
    uint32_t older = ss_window_newest_count(set);
    double most = span_rate(set) * 0.75; /* a first table takes under 5/8 */
    while (older > 0 && newest[1 - (int)older].fp_rate > most)
        older--;
    return older;
}

/* ---- turning ---- */

void ss_window_correct_clock(seenset *set, uint64_t now)
{
    notice(set, now);
    forget(set, now);
    if (!ss_age_is_over(set, set->generation_count - 1, now))
        return;
    ss_generation *newest = ss_set_newest(set);
    memset(newest->table.words, 0,
           (size_t)ss_set_word_count(newest) * sizeof *newest->table.words);
    newest->added_items = 0;
    newest->started_seconds = now;
    newest->noticed_seconds = 0;
}

static int append(seenset *set, const seenset_plan *plan, uint64_t started)
{
    if (set->generation_count >= SS_MAX_TABLES)
        return SEENSET_ETOOBIG;
    int error = ss_set_append(set, plan, 1);
    if (error != SEENSET_OK)
        return error;
    ss_set_newest(set)->started_seconds = started;
    ss_set_newest(set)->noticed_seconds = 0;
    return SEENSET_OK;
}

static int begin_span(seenset *set, uint64_t now)
{
    uint64_t items =
        planned_items(set->capacity_items, set->window_generations);
    uint64_t busiest = busiest_span(set, now);
    while (items < busiest && items <= SEENSET_MAX_SIZE_BITS / 2)
        items *= 2;
    seenset_plan plan = {.layout = set->generations[0].table.layout->traits->id,
                         .capacity_items = items};
    int error = ss_promise_plan_first(&plan, span_rate(set));
    if (error == SEENSET_OK)
        error = append(set, &plan, now);
    if (error == SEENSET_OK)
        forget(set, now); /* what was the newest, if the set slept */
    return error;
}

/* How many spans will be left once the clock was looked at. */
static uint32_t count_live_spans(const seenset *set, uint64_t now)
{
    uint32_t count = 0;
    for (uint32_t i = 0, end; i < set->generation_count; i = end) {
        end = span_end(set, i);
        count += end == set->generation_count || !ss_age_is_over(set, i, now);
    }
    return count;
}

bool ss_window_is_span_due(const seenset *set, uint64_t now)
{
    uint32_t last = set->generation_count - 1;
    return ss_age_of(&set->generations[last], now) >= ss_age_of_span(set) &&
           (count_live_spans(set, now) < set->window_generations ||
            ss_age_is_over(set, last, now));
}

bool ss_window_would_turn(const seenset *set, uint64_t now)
{
    uint32_t last = set->generation_count - 1;
    if (!ss_window_is_by_age(set))
        return false;
    for (uint32_t i = 0; i <= last; i++) {
        const ss_generation *generation = &set->generations[i];
        if (generation->noticed_seconds != note_of(generation, now) ||
            ss_age_is_over(set, i, now))
            return true;
    }
    return ss_age_of(&set->generations[last], now) >= ss_age_of_span(set);
}

/* The newest span begins anew, with what it has. A start in the future stays:
 * a clock that is right again may be about to come to it. */
static void go_on(seenset *set, uint64_t now)
{
    uint32_t count = ss_window_newest_count(set);
    for (ss_generation *table = ss_set_newest(set) - (count - 1); count > 0;
         table++, count--) {
        if (table->started_seconds > now)
            table->noticed_seconds = now;
        else
            table->started_seconds = now;
    }
}

int ss_window_expire(seenset *set, uint64_t now)
{
    notice(set, now);
    forget(set, now);
    uint32_t last = set->generation_count - 1;
    if (ss_age_of(&set->generations[last], now) < ss_age_of_span(set))
        return SEENSET_OK;
    if (count_spans(set) < set->window_generations ||
        ss_age_is_over(set, last, now))
        return begin_span(set, now);
    go_on(set, now);
    return SEENSET_OK;
}

/* Its table for all further keys. */
static int append_expanded(seenset *set)
{
    uint32_t older = counted_tables(set);
    int error = SEENSET_ETOOBIG;
    if (set->generation_count >= SS_MAX_TABLES)
        return error;
    do
        error = ss_expanded_append(set, span_rate(set), older);
    while (error == SEENSET_ERATE && older-- > 0);
    return error;
}

int ss_window_grow(seenset *set)
{
    ss_generation newest = *ss_set_newest(set);
    int error = append_expanded(set);
    if (error != SEENSET_OK)
        return error;
    ss_set_newest(set)->started_seconds = newest.started_seconds;
    ss_set_newest(set)->noticed_seconds = newest.noticed_seconds;
    return SEENSET_OK;
}
