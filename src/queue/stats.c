/*
 * stats.c - what a queue reports of itself.
 *
 * The queue's own figures need no bit of the set: they are copied with the
 * mutex held, and the sums that take a while are computed after that. So is the
 * set's estimate, for which some MiB are read with the mutex held. Only
 * seenset_queue_get_set_stats reads all bits, and pushes wait for it.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/delayed/settle.h"
#include "queue/polite.h"

#include <math.h>
#include <string.h>

#include "base/growth.h"
#include "base/order.h"

/* Windows forget keys instead, and an exact set takes all unless it refuses. */
static bool is_ever_full(const ss_url_set *set, const seenset_info *info)
{
    return set->is_exact ? info->on_full == SEENSET_ON_FULL_REFUSE
                         : info->on_full != SEENSET_ON_FULL_ROTATE;
}

/* At the speed of this handle's pushes; 0 once it is full. A set that grows has
 * the capacity of the tables it has by now. */
static double seconds_to_full(const seenset_queue *queue,
                              const seenset_info *info)
{
    const ss_seen *seen = &queue->seen;
    const ss_counters *counters = &queue->counters;
    if (!is_ever_full(&seen->set, info))
        return INFINITY;
    double added = (double)(seen->added_items - counters->opened_items);
    double seconds = (double)(ss_queue_now(queue) - counters->opened_ns) / 1e9;
    if (seen->added_items >= info->capacity_items)
        return 0.0;
    if (!(added > 0 && seconds > 0))
        return INFINITY;
    return (double)(info->capacity_items - seen->added_items) * seconds / added;
}

static uint64_t memory_bytes(const seenset_queue *queue)
{
    const ss_items *items = &queue->items;
    const ss_positions *segments = &queue->log.segments;
    uint64_t lanes = 0;
    for (unsigned i = 0; i < SS_LANES; i++) {
        const ss_lane *lane = &items->lanes[i];
        lanes += lane->reader.room + ss_leases_memory_bytes(&lane->leases) +
                 ss_delays_bytes(&lane->delays) +
                 lane->done.room * sizeof *lane->done.at;
    }
    return sizeof *queue + SS_BLOCK_ROOM + lanes + items->rereads.room +
           ss_log_blocks_bytes(&items->blocks) +
           segments->room * sizeof *segments->at +
           (queue->frontier == NULL ? 0 : ss_frontier_bytes(queue->frontier)) +
           ss_memory_files_memory_bytes(&queue->files) +
           ss_seen_memory_bytes(&queue->seen) + ss_seen_set_bytes(&queue->seen);
}

/* In memory, segments go from the middle, too. */
static uint64_t log_bytes(const seenset_queue *queue)
{
    const ss_log_end *log = &queue->log;
    return queue->is_in_memory
               ? queue->files.size_bytes + ss_log_end_block_bytes(log)
               : log->tail - log->segments.at[0];
}

/* Those in runs, too. Where a run is damaged, all that they have is taken for
 * delayed: the pop that comes to it reports it. Returns 0 or SEENSET_EIO. */
static int add_delays(ss_leases_figures *all, ss_items *items, ss_lane *lane,
                      uint64_t now_ns)
{
    ss_delays_figures of = {.next_ns = UINT64_MAX};
    int error = ss_delays_count(&lane->delays, &items->run_files, now_ns, &of);
    if (error == SEENSET_EDAMAGED)
        of.delayed = lane->delays.items;
    all->delayed += of.delayed;
    all->next_ns = ss_lower(all->next_ns, of.next_ns);
    return error == SEENSET_EIO ? error : SEENSET_OK;
}

/* Of all lanes together. */
static int leases_of(ss_items *items, uint64_t now_ns, ss_leases_figures *out)
{
    ss_leases_figures all = {.next_ns = UINT64_MAX};
    int error = SEENSET_OK;
    for (unsigned i = 0; i < SS_LANES && error == SEENSET_OK; i++) {
        const ss_leases_figures of =
            ss_leases_count(&items->lanes[i].leases, now_ns);
        all.held += of.held;
        all.delayed += of.delayed;
        all.next_ns = ss_lower(all.next_ns, of.next_ns);
        error = add_delays(&all, items, &items->lanes[i], now_ns);
    }
    *out = all;
    return error;
}

/* Until an item may be handed out: of hosts that may be asked, or of leases
 * that end. */
static double seconds_to_next(const seenset_queue *queue, uint64_t now_ns,
                              const ss_leases_figures *leases)
{
    uint64_t next_ns = leases->next_ns;
    uint64_t others =
        ss_items_unacked(&queue->items) - leases->held - leases->delayed;
    if (queue->frontier != NULL)
        next_ns = ss_lower(next_ns, ss_polite_next_ns(queue));
    else if (others > 0)
        next_ns = now_ns;
    if (next_ns == UINT64_MAX)
        return INFINITY;
    return next_ns > now_ns ? (double)(next_ns - now_ns) / 1e9 : 0;
}

static void count_hosts(const ss_frontier *frontier, seenset_queue_stats *stats)
{
    const ss_frontier_rules *rules = &frontier->rules;
    const seenset_queue_politeness asked = ss_rules_as_asked(rules);
    stats->host_count = frontier->turns.all.count;
    stats->over_budget_items = frontier->over_budget;
    stats->delay_seconds = asked.delay_seconds;
    stats->budget = asked.budget;
    stats->host_leases = rules->host_leases;
    stats->hosts_by = rules->by;
    stats->is_delay_from_start = rules->is_from_start;
}

static int count_items(seenset_queue *queue, seenset_queue_stats *stats)
{
    ss_leases_figures leases;
    ss_items *items = &queue->items;
    uint64_t now_ns = ss_queue_now(queue);
    int error = leases_of(items, now_ns, &leases);
    uint64_t unacked = ss_items_unacked(items);
    stats->pending_items = unacked - leases.held;
    stats->leased_items = leases.held;
    stats->delayed_items = leases.delayed;
    stats->acked_items = queue->log.next_item - unacked;
    stats->seconds_to_due = leases.next_ns == UINT64_MAX
                                ? INFINITY
                                : (double)(leases.next_ns - now_ns) / 1e9;
    stats->seconds_to_next = seconds_to_next(queue, now_ns, &leases);
    for (unsigned i = 0; i < SS_LANES; i++)
        stats->priority_items[i] = items->lanes[i].unacked_items;
    return error;
}

/* What the scheme of its set was given. */
static void copy_arguments(seenset_queue_stats *stats, const seenset_info *info)
{
    stats->seed = info->seed;
    stats->unit_bits = info->unit_bits;
    stats->seed_count = info->seed_count;
    if (info->seed_count > 0)
        memcpy(stats->seeds, info->seeds,
               info->seed_count * sizeof *info->seeds);
}

/* With the mutex held; wrong_items is left for later. Returns 0 or
 * SEENSET_EIO. */
static int stats_of(seenset_queue *queue, seenset_queue_stats *out)
{
    const ss_log_end *log = &queue->log;
    const ss_counters *counters = &queue->counters;
    const seenset_info info = ss_url_set_info(&queue->seen.set);
    seenset_queue_stats stats = {
        .durability = queue->durability.mode,
        .normalise = queue->manifest.normalise,
        .pushed_items = log->next_item,
        .dropped_items = counters->dropped_items,
        .refused_items = counters->refused_items,
        .not_url_items = counters->not_url_items,
        .seconds_to_full = seconds_to_full(queue, &info),
        .log_bytes = log_bytes(queue),
        .segment_count = log->segments.count,
        .unsynced_bytes = queue->is_in_memory ? 0 : log->tail - log->durable,
        .torn_bytes = counters->torn_bytes,
        .failed_checkpoints = queue->snapshots.failed_count,
        .memory_bytes = memory_bytes(queue),
        .forgotten_items = queue->seen.forgotten.count};
    int error = count_items(queue, &stats);
    if (queue->frontier != NULL)
        count_hosts(queue->frontier, &stats);
    copy_arguments(&stats, &info);
    *out = stats;
    return error;
}

int seenset_queue_get_stats(seenset_queue *queue, seenset_queue_stats *out,
                            size_t out_bytes)
{
    ss_set_state state;
    seenset_queue_stats stats;
    if (queue == NULL || out == NULL || out_bytes == 0)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    if (queue->frontier != NULL)
        (void)ss_settle_due(queue, ss_queue_now(queue));
    int error = stats_of(queue, &stats);
    (void)ss_seen_take_state(&queue->seen, 0, &state); /* nothing is read */
    pthread_mutex_unlock(&queue->mutex);
    if (error != SEENSET_OK)
        return error;
    const seenset_estimate estimate = ss_figures_of(&state);
    stats.wrong_items = estimate.wrong_items;
    stats.is_wrong_at_least = estimate.is_wrong_at_least;
    return ss_growth_hand_out(out, out_bytes, &stats, sizeof stats);
}

int seenset_queue_get_set_stats(seenset_queue *queue, seenset_stats *out,
                                size_t out_bytes)
{
    if (queue == NULL || out == NULL || out_bytes == 0)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    const seenset_stats stats = ss_url_set_stats(&queue->seen.set);
    pthread_mutex_unlock(&queue->mutex);
    return ss_growth_hand_out(out, out_bytes, &stats, sizeof stats);
}

int seenset_queue_get_set_estimate(seenset_queue *queue, seenset_estimate *out,
                                   size_t out_bytes)
{
    ss_set_state state;
    if (queue == NULL || out == NULL || out_bytes == 0)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    int error = ss_seen_take_state(&queue->seen, SS_ESTIMATE_BYTES, &state);
    pthread_mutex_unlock(&queue->mutex);
    if (error != SEENSET_OK)
        return error;
    seenset_estimate estimate = ss_figures_of(&state);
    return ss_growth_hand_out(out, out_bytes, &estimate, sizeof estimate);
}

int seenset_queue_get_set_info(seenset_queue *queue, seenset_info *out,
                               size_t out_bytes)
{
    if (queue == NULL)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    const seenset_info info = ss_url_set_info(&queue->seen.set);
    pthread_mutex_unlock(&queue->mutex);
    return ss_growth_hand_out(out, out_bytes, &info, sizeof info);
}
