/* merge.c - small runs into a larger one (delays.h) */
#include <string.h>

#include "base/order.h"
#include "items/delayed/delays.h"
#include "items/delayed/run_write.h"
#include "seenset/error.h"

/* One run that is merged, in one of its orders. */
typedef struct source {
    ss_run *run;
    uint64_t index;
    ss_delay at; /* the record there */
    bool has_at;
} source;

typedef struct merging {
    const ss_delays *delays;
    const ss_run_files *files;
    size_t places[SS_DELAYS_FAN]; /* of the runs, ascending */
    source from[SS_DELAYS_FAN];
    ss_run_writer to;
} merging;

/* ---- which ---- */

static uint64_t left_of(const ss_run *run)
{
    return run->name.count - run->next;
}

/* Finds FAN runs that have from..end-1 items left, the newest. */
static bool choose(merging *now, uint64_t from, uint64_t end)
{
    unsigned found = 0;
    for (size_t i = now->delays->count; i > 0 && found < SS_DELAYS_FAN; i--) {
        uint64_t left = left_of(&now->delays->runs[i - 1]);
        if (left >= from && left < end)
            now->places[SS_DELAYS_FAN - ++found] = i - 1;
    }
    return found == SS_DELAYS_FAN;
}

/* ---- the records ---- */

/* Goes on to the next record that is not taken and not gone. */
static int advance(const merging *now, source *from, ss_run_order order)
{
    ss_run *run = from->run;
    from->has_at = false;
    while (from->index < run->name.count) {
        int error =
            ss_run_read(run, now->files, order, from->index++, &from->at);
        if (error != SEENSET_OK)
            return error;
        bool is_taken = order == SS_RUN_BY_ITEM &&
                        ss_delay_is_before(&from->at, &run->first);
        from->has_at =
            !is_taken &&
            ss_ranges_skip(&now->delays->gone, from->at.item) == from->at.item;
        if (from->has_at)
            break;
    }
    return SEENSET_OK;
}

static int begin(merging *now, ss_run_order order)
{
    int error = SEENSET_OK;
    for (size_t i = 0; i < SS_DELAYS_FAN && error == SEENSET_OK; i++) {
        ss_run *run = &now->delays->runs[now->places[i]];
        uint64_t first = order == SS_RUN_BY_DUE ? run->next : 0;
        now->from[i] = (source){.run = run, .index = first};
        error = ss_run_need_first(run, now->files);
        if (error == SEENSET_OK)
            error = advance(now, &now->from[i], order);
    }
    return error;
}

static bool is_before(const ss_delay *a, const ss_delay *b, ss_run_order order)
{
    return order == SS_RUN_BY_DUE ? ss_delay_is_before(a, b)
                                  : a->item < b->item;
}

/* The source whose record is next, or NULL. */
static source *next_source(merging *now, ss_run_order order)
{
    source *best = NULL;
    for (size_t i = 0; i < SS_DELAYS_FAN; i++) {
        source *from = &now->from[i];
        if (from->has_at &&
            (best == NULL || is_before(&from->at, &best->at, order)))
            best = from;
    }
    return best;
}

static int write_order(merging *now, ss_run_order order)
{
    source *from;
    int error = begin(now, order);
    while (error == SEENSET_OK && (from = next_source(now, order)) != NULL) {
        error = ss_run_put(&now->to, &from->at);
        if (error == SEENSET_OK)
            error = advance(now, from, order);
    }
    return error;
}

static int write_run(merging *now, uint64_t number, unsigned lane)
{
    int error = ss_run_begin(&now->to, now->files, number, lane);
    if (error != SEENSET_OK)
        return error;
    error = write_order(now, SS_RUN_BY_DUE);
    if (error == SEENSET_OK)
        error = ss_run_turn_to_items(&now->to);
    if (error == SEENSET_OK)
        error = write_order(now, SS_RUN_BY_ITEM);
    if (error == SEENSET_OK)
        return ss_run_finish(&now->to);
    ss_run_abort(&now->to);
    return error;
}

/* ---- the whole ---- */

/* The new run takes the place of those that it was made of. */
static void replace(const merging *now, ss_delays *delays, const ss_run *made)
{
    size_t kept = 0, next = 0;
    for (size_t i = 0; i < delays->count; i++) {
        if (next < SS_DELAYS_FAN && now->places[next] == i) {
            ss_run_close(&delays->runs[i], now->files);
            next++;
            continue;
        }
        delays->runs[kept++] = delays->runs[i];
    }
    delays->count = kept;
    ss_delays_add(delays, made);
}

int ss_delays_merge(ss_delays *delays, const ss_run_files *files,
                    uint64_t least, uint64_t number, bool *is_merged)
{
    ss_run made;
    merging now = {.delays = delays, .files = files};
    uint64_t small = 2 * least;
    *is_merged = false;
    if (!choose(&now, 0, small) && !choose(&now, small, SS_DELAYS_FAN * small))
        return SEENSET_OK;
    int error = write_run(&now, number, delays->runs[0].name.lane);
    if (error == SEENSET_OK)
        error = ss_run_open(&made, files, &now.to.name);
    if (error != SEENSET_OK)
        return error;
    replace(&now, delays, &made);
    *is_merged = true;
    return SEENSET_OK;
}
