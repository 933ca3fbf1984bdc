/* away.c - see away.h */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/recover/away.h"

#include "queue/polite.h"
#include "queue/recover/runs.h"

static ss_lane *lane_of(const ss_recovery *run, unsigned lane)
{
    return &run->queue->items.lanes[lane];
}

static int add_gone(const ss_recovery *run, unsigned lane, uint64_t item)
{
    return ss_ranges_add(&lane_of(run, lane)->delays.gone, &run->queue->memory,
                         item, item + 1)
               ? SEENSET_OK
               : SEENSET_ENOMEM;
}

/* The items of the runs of a lane, one after the other. */
typedef struct walk {
    ss_recovery *run;
    unsigned lane;
    bool agrees; /* the log has them so */
} walk;

/* One of them is done, or its link says that it is away. */
static int set_away(void *context, const ss_delay *delay)
{
    ss_link link;
    walk *at = context;
    ss_frontier *frontier = at->run->queue->frontier;
    if (!ss_pending_has(&frontier->pending, delay->item))
        return add_gone(at->run, at->lane, delay->item);
    int error = ss_links_read(&frontier->links, delay->item, &link);
    if (error != SEENSET_OK)
        return error;
    if (ss_frontier_lane_of(&link) != at->lane || ss_frontier_is_away(&link)) {
        at->agrees = false;
        return SEENSET_OK;
    }
    lane_of(at->run, at->lane)->delays.items++;
    return ss_frontier_set_away(frontier, delay->item, link);
}

static int take_runs(ss_recovery *run, unsigned lane, bool *agrees)
{
    walk at = {.run = run, .lane = lane, .agrees = true};
    ss_delays *delays = &lane_of(run, lane)->delays;
    int error = ss_recover_open_runs(run, lane);
    if (error == SEENSET_OK)
        error =
            ss_delays_each(delays, &run->queue->items.run_files, set_away, &at);
    *agrees &=
        at.agrees && delays->items == run->state.lanes[lane].delayed_items;
    return error;
}

int ss_recover_away(ss_recovery *run, bool *agrees)
{
    int error = SEENSET_OK;
    *agrees = true;
    for (unsigned i = 0; i < SS_LANES && run->keeps_leases; i++) {
        if (error == SEENSET_OK && ss_recover_has_runs(&run->state, i))
            error = take_runs(run, i, agrees);
    }
    return error;
}

int ss_recover_away_acked(ss_recovery *run, unsigned lane, uint64_t item)
{
    lane_of(run, lane)->delays.items--;
    return add_gone(run, lane, item);
}

void ss_recover_away_end(ss_recovery *run)
{
    for (unsigned i = 0; i < SS_LANES; i++) {
        ss_delays *delays = &lane_of(run, i)->delays;
        if (delays->items == 0)
            ss_delays_clear(delays, &run->queue->items.run_files);
    }
}
