/* polite.c - see polite.h */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/recover/polite.h"

#include <string.h>

#include "base/bits.h"
#include "base/order.h"
#include "frontier/hosts_bytes.h"
#include "queue/polite.h"
#include "queue/recover/away.h"
#include "queue/recover/leases.h"

/* ---- the hosts of the state ---- */

/* The moment when a time was written, and now. */
typedef struct carrying {
    const ss_moment *then, *now;
} carrying;

static uint64_t carry_ms(const void *context, uint64_t ready_ms)
{
    const carrying *by = context;
    uint64_t ready_ns = ss_lower(ready_ms, SS_HOST_MOST_MS) * SS_MS_NS;
    uint64_t carried_ns = ss_moment_carry(by->then, by->now, ready_ns);
    return carried_ns > by->now->steady_ns ? ss_polite_ms_up(carried_ns) : 0;
}

int ss_recover_hosts(ss_recovery *run)
{
    seenset_queue *queue = run->queue;
    const ss_state *state = &run->state;
    const ss_moment now = ss_moment_now(queue->folder.io->clock);
    const carrying by = {&state->written, &now};
    if (state->hosts == NULL)
        return SEENSET_OK;
    queue->frontier->over_budget = state->over_budget;
    /* the time that is left is counted from now on */
    queue->snapshots.is_dirty |=
        !ss_moment_is_same_clock(&state->written, &now);
    return ss_hosts_bytes_read(queue->frontier, state->hosts, carry_ms, &by);
}

/* ---- records ---- */

/* An item that is not there yet. */
static int add_item(ss_recovery *run, const ss_record *pushed, uint32_t host,
                    ss_span record, bool is_taken)
{
    seenset_queue *queue = run->queue;
    unsigned lane = ss_record_lane(pushed);
    int error = ss_frontier_reserve(queue->frontier, host, pushed->item);
    if (error != SEENSET_OK)
        return error;
    ss_frontier_push(queue->frontier, lane, pushed->item, record, is_taken);
    queue->items.lanes[lane].unacked_items++;
    return SEENSET_OK;
}

static int need_host(ss_frontier *frontier, const ss_record *pushed,
                     uint32_t *host)
{
    const ss_push push = ss_push_of(pushed);
    return ss_frontier_need(
        frontier, ss_frontier_hash(frontier, push.url, push.url_len), host);
}

static ss_span span_of(const ss_record *record, uint64_t at)
{
    return (ss_span){at, (uint32_t)ss_record_bytes(record)};
}

int ss_replay_polite_push(ss_recovery *run, const ss_record *record,
                          uint64_t at)
{
    uint32_t host;
    if (at < run->state.lanes[0].read_position)
        return SEENSET_OK;
    int error = need_host(run->queue->frontier, record, &host);
    return error == SEENSET_OK
               ? add_item(run, record, host, span_of(record, at),
                          at >= run->state.position)
               : error;
}

/* An item that is in the log before, too. One of another host or lane is not
 * it, whatever its checksum is: the item stays where it was. */
static int move_item(ss_frontier *frontier, const ss_record *pushed,
                     uint32_t host, ss_span to)
{
    ss_link link;
    int error = ss_links_read(&frontier->links, pushed->item, &link);
    if (error != SEENSET_OK)
        return error;
    if (ss_frontier_lane_of(&link) != ss_record_lane(pushed) ||
        ss_frontier_host_of(&link) != host)
        return SEENSET_OK;
    const ss_span from = ss_frontier_span_of(&link);
    error = ss_frontier_move(frontier, pushed->item, to);
    if (error != SEENSET_OK)
        return error;
    ss_live_remove(&frontier->live, from.at, from.bytes);
    ss_live_add(&frontier->live, to.at, to.bytes);
    return SEENSET_OK;
}

int ss_replay_polite_move(ss_recovery *run, const ss_record *pushed,
                          uint64_t at)
{
    uint32_t host;
    ss_frontier *frontier = run->queue->frontier;
    if (at < run->state.lanes[0].read_position)
        return SEENSET_OK;
    int error = need_host(frontier, pushed, &host);
    if (error != SEENSET_OK)
        return error;
    return ss_pending_has(&frontier->pending, pushed->item)
               ? move_item(frontier, pushed, host, span_of(pushed, at))
               : add_item(run, pushed, host, span_of(pushed, at), false);
}

int ss_replay_polite_ack(ss_recovery *run, const ss_acked *acked, uint64_t at)
{
    seenset_queue *queue = run->queue;
    ss_frontier *frontier = queue->frontier;
    ss_link link;
    uint64_t end = acked->first + acked->count;
    for (uint64_t item = ss_pending_next(&frontier->pending, acked->first, end);
         item < end;
         item = ss_pending_next(&frontier->pending, item + 1, end)) {
        int error = ss_links_read(&frontier->links, item, &link);
        if (error != SEENSET_OK)
            return error;
        if (ss_frontier_lane_of(&link) != acked->lane)
            return ss_recovery_refuse(run, at, SS_OTHER_LANE);
        if (ss_frontier_is_away(&link))
            error = ss_recover_away_acked(run, acked->lane, item);
        if (error != SEENSET_OK)
            return error;
        ss_links_remove(&frontier->links, &frontier->memory, item);
        ss_frontier_done(frontier, ss_frontier_host_of(&link), item,
                         ss_frontier_span_of(&link));
        queue->items.lanes[acked->lane].unacked_items--;
    }
    return SEENSET_OK;
}

int ss_replay_host(ss_recovery *run, const ss_record *record)
{
    seenset_queue *queue = run->queue;
    const uint8_t *from = record->payload;
    const ss_moment now = ss_moment_now(queue->folder.io->clock);
    ss_moment then = {.steady_ns = ss_bits_load(from + 16, 8),
                      .wall_seconds = ss_bits_load(from + 24, 8)};
    memcpy(then.boot_id, from, SS_CLOCK_BOOT_BYTES);
    ss_host_setting setting = {
        .name = from + SS_HOST_PREFIX_BYTES,
        .name_len = record->payload_bytes - SS_HOST_PREFIX_BYTES,
        .sets = (uint32_t)ss_bits_load(from + SS_HOST_AT_SETS, 4),
        .delay_ms = ss_bits_load(from + SS_HOST_AT_DELAY, 8),
        .budget = ss_bits_load(from + 48, 8),
        .until_ns = ss_moment_carry(&then, &now, ss_bits_load(from + 56, 8))};
    int error = ss_polite_prepare(queue, &setting);
    if (error == SEENSET_OK)
        ss_polite_set(queue, &setting, now.steady_ns);
    return error;
}

/* Is the state's item the one that the log has there? 1, 0 or an error. */
static int is_entry_there(ss_frontier *frontier, const ss_state_entry *entry)
{
    ss_link link;
    if (!ss_pending_has(&frontier->pending, entry->item))
        return 0;
    int error = ss_links_read(&frontier->links, entry->item, &link);
    if (error != SEENSET_OK)
        return error;
    return link.at == entry->position &&
           ss_frontier_lane_of(&link) == entry->lane &&
           !ss_frontier_is_away(&link);
}

int ss_replay_polite_state(ss_recovery *run)
{
    const ss_state *state = &run->state;
    bool agrees;
    int error = ss_recover_away(run, &agrees), result = 1;
    if (error != SEENSET_OK)
        return error;
    for (size_t i = 0; i < state->entry_count && result == 1; i++)
        result = is_entry_there(run->queue->frontier, &state->entries[i]);
    run->is_state_wrong = result == 0 || !agrees;
    for (unsigned i = 0; i < SS_LANES; i++)
        run->is_state_wrong |= run->queue->items.lanes[i].unacked_items !=
                               run->state.lanes[i].unacked_items;
    return result < 0 ? result : SEENSET_OK;
}

/* ---- items that were handed out ---- */

/* It is out as its host counts. There is room for so many, unless the state
 * is forged. */
static void lease_again(seenset_queue *queue, ss_leased_item *entry,
                        uint32_t host)
{
    ss_turns *turns = &queue->frontier->turns;
    if (ss_turns_host(turns, host)->leased == SS_HOST_MOST_LEASED)
        return;
    ss_turns_lease_again(turns, host);
    entry->is_out = true;
}

/* Its host may have been asked right now. Without a delay it stays ready. */
static void ask(ss_frontier *frontier, uint32_t host, uint64_t now_ns)
{
    uint64_t delay_ms = ss_frontier_delay_ms(frontier, host);
    if (delay_ms > 0)
        ss_frontier_not_before(frontier, host,
                               ss_polite_from_ms(now_ns, delay_ms) + delay_ms);
}

/* It is written down, so that the next opening does not end it again. */
static void end_by_opening(seenset_queue *queue, uint32_t host, uint64_t now_ns)
{
    ask(queue->frontier, host, now_ns);
    queue->snapshots.is_dirty |=
        ss_frontier_delay_ms(queue->frontier, host) > 0;
}

static void ask_all(ss_frontier *frontier, uint64_t now_ns)
{
    const ss_host_table *all = &frontier->turns.all;
    for (uint32_t i = 0; i < all->used; i++) {
        if (ss_hosts_row(all, i)->place != SS_HOST_UNUSED)
            ask(frontier, i, now_ns);
    }
}

/* An item goes on as the state has it. Returns 0 or an error of scratch. */
static int go_on(seenset_queue *queue, const ss_state_entry *from,
                 const ss_link *link)
{
    ss_leases *leases = &queue->items.lanes[from->lane].leases;
    ss_leased_item *entry = ss_leases_by_item(leases, from->item);
    const ss_span record = ss_frontier_span_of(link);
    uint32_t host = ss_frontier_host_of(link);
    int error = ss_frontier_set_out(queue->frontier, from->item);
    if (error != SEENSET_OK)
        return error;
    entry->position = record.at; /* it may have been moved since */
    ss_leases_set_bytes(leases, entry, record.bytes);
    entry->host = host;
    if (from->due_ns == 0)
        ss_again_add(queue, entry, from->is_held);
    else if (from->is_held)
        lease_again(queue, entry, host);
    return SEENSET_OK;
}

/* An item of the state goes on, or ends. Returns 0 or an error of scratch. */
static int take_over(seenset_queue *queue, const ss_state_entry *entry,
                     bool keep_leases, uint64_t now_ns)
{
    ss_link link;
    ss_frontier *frontier = queue->frontier;
    if (!ss_pending_has(&frontier->pending, entry->item))
        return SEENSET_OK;
    int error = ss_links_read(&frontier->links, entry->item, &link);
    if (error != SEENSET_OK)
        return error;
    uint32_t host = ss_frontier_host_of(&link);
    if (keep_leases)
        return go_on(queue, entry, &link);
    if (entry->is_held && entry->due_ns > 0)
        end_by_opening(queue, host, now_ns);
    return SEENSET_OK;
}

int ss_recover_handed_out(ss_recovery *run, bool keep_leases)
{
    seenset_queue *queue = run->queue;
    ss_frontier *frontier = queue->frontier;
    uint64_t now_ns = ss_queue_now(queue);
    int error =
        keep_leases ? ss_recover_leases(queue, &run->state) : SEENSET_OK;
    ss_recover_away_end(run);
    for (size_t i = 0; i < run->state.entry_count && error == SEENSET_OK; i++)
        error = take_over(queue, &run->state.entries[i], keep_leases, now_ns);
    if (run->is_handed)
        ask_all(frontier, now_ns);
    queue->snapshots.is_dirty |= run->is_handed;
    queue->mark.is_durable = run->is_handed;
    return error == SEENSET_OK
               ? ss_frontier_link(frontier, queue->log.next_item, UINT64_MAX)
               : error;
}
