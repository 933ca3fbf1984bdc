/*
 * window_merge.c - the union of two windows by age.
 *
 * Each table of the one joins a span of the other: one of its very age; or a
 * span of its own, as long as there are fewer than K - 1, so that the next one
 * can still begin; or else the nearest that is younger, which only makes its
 * keys stay longer. In its span it goes into a table like it with room enough,
 * and where there is none, a copy of it joins the list.
 *
 * What goes where is found first and only noted; then come the copies, which
 * alone can fail; then all that cannot.
 */
#include <string.h>

#include "set/two/credit.h"
#include "set/two/uniting.h"
#include "set/two/unions.h"
#include "set/window.h"

/* A span's stamps, as ss_generation has them. */
typedef struct span_stamps {
    uint64_t started_seconds;
    uint64_t noticed_seconds;
    uint64_t age_seconds;
} span_stamps;

enum {
    NOWHERE = SS_UNITING_NOWHERE,
    LEFT_FREE = 64 /* tables that the set can still begin */
};

typedef struct placing {
    uint64_t now;
    span_stamps spans[SS_MAX_TABLES]; /* of the union */
    uint32_t span_count;
    uint32_t own_spans[SS_MAX_TABLES]; /* of the tables of `into` */
    ss_uniting_plan plan;
    uint32_t new_spans[SS_MAX_TABLES];      /* of the tables of `from` */
    ss_uniting_place places[SS_MAX_TABLES]; /* of these */
    ss_unions unions;                       /* for those that grow in place */
} placing;

static bool is_taken(const seenset *from, uint32_t i, uint64_t now)
{
    return from->generations[i].added_items > 0 &&
           !ss_age_is_over(from, i, now);
}

static span_stamps stamps_of(const ss_generation *generation, uint64_t now)
{
    return (span_stamps){generation->started_seconds,
                         generation->noticed_seconds,
                         ss_age_of(generation, now)};
}

static uint32_t own_span(placing *made, const ss_generation *own)
{
    span_stamps stamps = stamps_of(own, made->now);
    for (uint32_t i = 0; i < made->span_count; i++) {
        if (made->spans[i].started_seconds == stamps.started_seconds &&
            made->spans[i].noticed_seconds == stamps.noticed_seconds)
            return i;
    }
    made->spans[made->span_count] = stamps;
    return made->span_count++;
}

/* The oldest span that is not older than age_seconds, or the youngest one. */
static uint32_t nearest_span(const placing *made, uint64_t age_seconds)
{
    uint32_t youngest = 0, nearest = NOWHERE;
    for (uint32_t i = 0; i < made->span_count; i++) {
        uint64_t age = made->spans[i].age_seconds;
        if (age < made->spans[youngest].age_seconds)
            youngest = i;
        if (age <= age_seconds &&
            (nearest == NOWHERE || age > made->spans[nearest].age_seconds))
            nearest = i;
    }
    return nearest != NOWHERE ? nearest : youngest;
}

/* As long as the younger of the two, whatever the clock will do. */
static void unite_stamps(span_stamps *into, const span_stamps *from,
                         uint64_t now)
{
    if (into->started_seconds < from->started_seconds)
        into->started_seconds = from->started_seconds;
    if (into->age_seconds > from->age_seconds)
        into->age_seconds = from->age_seconds;
    if (into->started_seconds > now)
        into->noticed_seconds = now - into->age_seconds;
    else
        into->noticed_seconds = 0;
}

/* The span that a table of `from` joins; at most so many are made. */
static uint32_t join_span(placing *made, const ss_generation *source,
                          uint32_t most_spans)
{
    span_stamps stamps = stamps_of(source, made->now);
    uint32_t nearest = nearest_span(made, stamps.age_seconds);
    bool is_alike = made->spans[nearest].age_seconds == stamps.age_seconds;
    if (!is_alike && made->span_count < most_spans) {
        made->spans[made->span_count] = stamps;
        return made->span_count++;
    }
    unite_stamps(&made->spans[nearest], &stamps, made->now);
    return nearest;
}

/* The own table that takes in `source`, or NOWHERE. */
static ss_uniting_place find_place(placing *made, const seenset *into,
                                   uint32_t span, const ss_generation *source)
{
    bool is_open[SS_MAX_TABLES];
    for (uint32_t i = 0; i < into->generation_count; i++)
        is_open[i] = made->own_spans[i] == span;
    return ss_uniting_find(&made->plan, into, into->generation_count, is_open,
                           source);
}

/* The youngest of `from` first: they are worth a span of their own most. */
static void place_all(placing *made, const seenset *into, const seenset *from)
{
    made->span_count = 0;
    for (uint32_t i = 0; i < into->generation_count; i++)
        made->own_spans[i] = own_span(made, &into->generations[i]);
    for (uint32_t i = from->generation_count; i-- > 0;) {
        const ss_generation *source = &from->generations[i];
        if (!is_taken(from, i, made->now))
            continue;
        made->new_spans[i] =
            join_span(made, source, into->window_generations - 1);
        made->places[i] = find_place(made, into, made->new_spans[i], source);
    }
}

static int append_copies(seenset *into, const seenset *from, placing *made)
{
    uint32_t own = into->generation_count;
    int error = SEENSET_OK;
    for (uint32_t i = 0; error == SEENSET_OK && i < from->generation_count; i++)
        if (is_taken(from, i, made->now))
            error = ss_unions_ready(&made->unions, into, &from->generations[i],
                                    made->places[i].target);
    /* where a scheme says the places, a list cannot be folded to any length */
    if (error == SEENSET_OK && into->generation_count > SS_MAX_TABLES &&
        into->generations[0].table.scheme != NULL)
        error = SEENSET_ETOOBIG;
    if (error != SEENSET_OK)
        ss_unions_drop(&made->unions);
    while (error != SEENSET_OK && into->generation_count > own)
        ss_set_drop_newest(into);
    return error;
}

static void stamp(ss_generation *generation, const span_stamps *stamps)
{
    generation->started_seconds = stamps->started_seconds;
    generation->noticed_seconds = stamps->noticed_seconds;
}

/* Does a belong before b? Older ones do, and a span's tables stay together, of
 * which those that grow in place are the last. */
static bool is_before(const ss_generation *a, const ss_generation *b,
                      uint64_t now)
{
    uint64_t age_a = ss_age_of(a, now), age_b = ss_age_of(b, now);
    if (age_a != age_b)
        return age_a > age_b;
    return a->started_seconds != b->started_seconds
               ? a->started_seconds < b->started_seconds
               : a->table.expand == NULL && b->table.expand != NULL;
}

/* Puts the copies, which follow the `own` tables, before them, and then all in
 * order: what was being filled is still the last of its span. */
static void sort(seenset *set, uint32_t own, uint64_t now)
{
    ss_generation sorted[2 * SS_MAX_TABLES];
    uint32_t count = set->generation_count;
    for (uint32_t i = 0; i < count; i++) {
        ss_generation next = set->generations[(own + i) % count];
        uint32_t at = i;
        for (; at > 0 && is_before(&next, &sorted[at - 1], now); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = next;
    }
    memcpy(set->generations, sorted, count * sizeof *sorted);
}

int ss_window_merge(seenset *into, const seenset *from)
{
    placing made = {.now = ss_set_wall_seconds(into)};
    ss_window_correct_clock(into, made.now);
    place_all(&made, into, from);
    uint32_t own = into->generation_count;
    ss_credit credit;
    int error = ss_credit_begin(&credit, into, from);
    if (error == SEENSET_OK)
        error = append_copies(into, from, &made);
    if (error != SEENSET_OK)
        return error;
    bool is_changed = into->generation_count > own;
    for (uint32_t i = 0; i < own; i++)
        stamp(&into->generations[i], &made.spans[made.own_spans[i]]);
    for (uint32_t i = 0, copied = own; i < from->generation_count; i++) {
        if (!is_taken(from, i, made.now))
            continue;
        bool is_placed = made.places[i].target != NOWHERE;
        if (is_placed && from->generations[i].table.expand != NULL)
            continue;
        if (is_placed)
            is_changed |= ss_uniting_add(&made.plan, &made.places[i], into,
                                         &from->generations[i]);
        else
            stamp(&into->generations[copied++], &made.spans[made.new_spans[i]]);
    }
    is_changed |= ss_unions_take(&made.unions, into);
    ss_window_correct_clock(into,
                            made.now); /* future stamps of copies are noticed */
    sort(into, own, made.now);
    if (is_changed) {
        (void)ss_uniting_fold(into, SS_MAX_TABLES - LEFT_FREE);
        ss_credit_end(&credit, into);
    }
    return SEENSET_OK;
}
