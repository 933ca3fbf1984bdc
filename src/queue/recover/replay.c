/*
 * replay.c - one record after the other into a handle.
 *
 * Set and state were written at positions of their own. What a record adds to
 * the set counts from the set's position on, and what it says of items and of
 * URLs that were forgotten from the state's.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/recover/replay.h"

#include "base/bits.h"
#include "base/order.h"
#include "queue/recover/polite.h"

/* If the set cannot grow, the error is ignored: it was full when this push was
 * logged, and the item counts all the same. */
static int add_to_set(ss_recovery *run, const ss_pushed *url)
{
    int error = ss_seen_add(&run->queue->seen, url);
    return error == SEENSET_ENOMEM ? error : SEENSET_OK;
}

/* Does an item from before the state wait in it? */
static bool is_waiting(const ss_recovery *run, unsigned lane, uint64_t item,
                       uint64_t at)
{
    const ss_state_lane *from = &run->state.lanes[lane];
    return at >= from->read_position && item >= from->read_item &&
           ss_ranges_skip(&run->queue->items.lanes[lane].done, item) == item;
}

int ss_replay_before(ss_recovery *run, const ss_record *record, uint64_t at)
{
    if (!ss_record_is_push(record->type))
        return SEENSET_OK;
    unsigned lane = ss_record_lane(record);
    if (!ss_record_is_possible(record, at, run->end))
        return SEENSET_EDAMAGED;
    run->waiting[lane] += is_waiting(run, lane, record->item, at);
    return ss_lane_runs_note(&run->lanes, &run->queue->memory, record->item,
                             lane)
               ? SEENSET_OK
               : SEENSET_ENOMEM;
}

static int replay_push(ss_recovery *run, const ss_record *record, uint64_t at)
{
    seenset_queue *queue = run->queue;
    queue->log.next_item = record->item + 1;
    ss_push push = ss_push_of(record);
    if (queue->manifest.is_extended &&
        !ss_lane_runs_note(&run->lanes, &queue->memory, record->item,
                           push.lane))
        return SEENSET_ENOMEM;
    ss_pushed url = ss_url_set_pushed(&queue->seen.set, push.url, push.url_len);
    url.seconds = push.seconds;
    if (queue->frontier != NULL) {
        int error = ss_replay_polite_push(run, record, at);
        if (error != SEENSET_OK)
            return error;
    }
    if (at >= run->state.position) {
        queue->items.lanes[push.lane].unacked_items += queue->frontier == NULL;
        (void)ss_seen_remember(&queue->seen, &url);
    } else {
        run->waiting[push.lane] += is_waiting(run, push.lane, record->item, at);
    }
    return at < run->set_position ? SEENSET_OK : add_to_set(run, &url);
}

static int replay_renewal(ss_recovery *run, const ss_record *record,
                          uint64_t at)
{
    const ss_pushed url = {.seconds = ss_bits_load(record->payload, 8),
                           .hash = ss_bits_load(record->payload + 8, 8)};
    return at < run->set_position ? SEENSET_OK : add_to_set(run, &url);
}

static int replay_seen(ss_recovery *run, const ss_record *record, uint64_t at)
{
    ss_pushed url = ss_url_set_pushed(
        &run->queue->seen.set, record->payload + SS_SEEN_PREFIX_BYTES,
        record->payload_bytes - SS_SEEN_PREFIX_BYTES);
    url.seconds = ss_bits_load(record->payload, SS_SEEN_PREFIX_BYTES);
    if (at >= run->state.position)
        (void)ss_seen_remember(&run->queue->seen, &url);
    return at < run->set_position ? SEENSET_OK : add_to_set(run, &url);
}

static int replay_forget(ss_recovery *run, const ss_record *record, uint64_t at)
{
    ss_seen *seen = &run->queue->seen;
    const ss_pushed url =
        ss_url_set_pushed(&seen->set, record->payload, record->payload_bytes);
    if (at < run->state.position)
        return SEENSET_OK;
    if (!ss_forgotten_reserve(&seen->forgotten, &run->queue->memory, 1))
        return SEENSET_ENOMEM;
    ss_seen_forget(seen, &url);
    return SEENSET_OK;
}

int ss_replay_done(ss_recovery *run, unsigned lane, uint64_t first,
                   uint64_t end)
{
    seenset_queue *queue = run->queue;
    return ss_ranges_add(&queue->items.lanes[lane].done, &queue->memory, first,
                         end)
               ? SEENSET_OK
               : SEENSET_ENOMEM;
}

/* Items that nobody will find are done, of whatever lane they were. */
static int replay_lost(ss_recovery *run, uint64_t first, uint64_t end)
{
    int error = SEENSET_OK;
    for (unsigned i = 0; i < SS_LANES && error == SEENSET_OK; i++)
        error = ss_replay_done(run, i, first, end);
    return error;
}

/* An item is counted once, however often the log says that it is done, and not
 * at all if it was lost. */
static int replay_acked(ss_recovery *run, const ss_acked *acked, uint64_t at)
{
    if (run->queue->frontier != NULL)
        return ss_replay_polite_ack(run, acked, at);
    ss_lane *lane = &run->queue->items.lanes[acked->lane];
    uint64_t more;
    if (!ss_ranges_add_new(&lane->done, &run->queue->memory, acked->first,
                           acked->first + acked->count, &more))
        return SEENSET_ENOMEM;
    lane->unacked_items -= ss_lower(more, lane->unacked_items);
    return SEENSET_OK;
}

/* Is nothing known of these items that contradicts their lane? */
static bool is_lane_possible(const ss_recovery *run, const ss_acked *acked)
{
    const ss_ranges *done = &run->queue->items.lanes[acked->lane].done;
    uint64_t first = acked->first, end = acked->first + acked->count;
    return ss_lane_runs_agree(&run->lanes, first, end, acked->lane) &&
           ss_lane_entries_agree(&run->state, done, first, end, acked->lane);
}

static int replay_ack(ss_recovery *run, const ss_record *record, uint64_t at)
{
    size_t range_bytes = ss_record_range_bytes(record->type);
    for (size_t i = 0; i < record->payload_bytes; i += range_bytes) {
        ss_acked acked = ss_acked_at(record, i);
        if (run->queue->manifest.is_extended && !is_lane_possible(run, &acked))
            return ss_recovery_refuse(run, at, SS_OTHER_LANE);
        int error = replay_acked(run, &acked, at);
        if (error != SEENSET_OK)
            return error;
    }
    return SEENSET_OK;
}

/* The items that were in the damaged bytes are lost. */
static int replay_filler(ss_recovery *run, const ss_record *record,
                         bool is_after_state)
{
    uint64_t first = run->queue->log.next_item;
    run->queue->log.next_item = record->item;
    return is_after_state && run->queue->frontier == NULL
               ? replay_lost(run, first, record->item)
               : SEENSET_OK;
}

/* The log begins at this item: without a state, all before it is done. */
static int begin_items(ss_recovery *run, uint64_t item)
{
    run->knows_item = true;
    run->queue->log.next_item = item;
    if (run->queue->snapshots.states.count > 0)
        return SEENSET_OK;
    for (unsigned i = 0; i < SS_LANES; i++)
        run->state.lanes[i].read_item = item;
    return run->queue->frontier == NULL ? replay_lost(run, 0, item)
                                        : SEENSET_OK;
}

static bool is_in_order(const ss_recovery *run, const ss_record *record,
                        uint64_t at)
{
    const seenset_queue *queue = run->queue;
    const ss_record_kinds kinds =
        ss_queue_kinds(&queue->seen.set, &queue->manifest);
    return ss_record_is_possible(record, at, run->end) &&
           ss_record_is_of(record->type, kinds) &&
           (!run->knows_item ||
            ss_record_follows(record, queue->log.next_item));
}

/* The set has its URL, unless it is made of the log that is left. A window
 * would take it for one that came later. */
static int replay_moved(ss_recovery *run, const ss_record *record, uint64_t at)
{
    const seenset_queue *queue = run->queue;
    const ss_record pushed = ss_record_pushed(record);
    const ss_push push = ss_push_of(&pushed);
    if (!ss_record_is_of(pushed.type,
                         ss_queue_kinds(&queue->seen.set, &queue->manifest)))
        return ss_recovery_refuse(run, at, "a record is out of order");
    int error = ss_replay_polite_move(run, &pushed, at);
    if (error != SEENSET_OK || run->purpose != SS_FOR_REPAIR ||
        queue->snapshots.sets.count > 0 || queue->seen.set.is_window)
        return error;
    const ss_pushed url =
        ss_url_set_pushed(&queue->seen.set, push.url, push.url_len);
    return add_to_set(run, &url);
}

static int replay_in_order(ss_recovery *run, const ss_record *record,
                           uint64_t at)
{
    bool is_after_state = at >= run->state.position;
    switch (record->type) {
    case SS_RECORD_RENEWAL:
        return replay_renewal(run, record, at);
    case SS_RECORD_SEEN:
        return replay_seen(run, record, at);
    case SS_RECORD_FORGET:
        return replay_forget(run, record, at);
    case SS_RECORD_ACK:
    case SS_RECORD_LANED_ACK:
        run->is_handed |= is_after_state;
        return is_after_state || run->queue->frontier != NULL
                   ? replay_ack(run, record, at)
                   : SEENSET_OK;
    case SS_RECORD_HOST:
        return is_after_state ? ss_replay_host(run, record) : SEENSET_OK;
    case SS_RECORD_HANDED:
        run->is_handed |= is_after_state;
        return SEENSET_OK;
    case SS_RECORD_MOVED:
        return replay_moved(run, record, at);
    case SS_RECORD_DURABLE:
        run->durable_end =
            ss_higher(run->durable_end, ss_bits_load(record->payload, 8));
        return SEENSET_OK;
    case SS_RECORD_FILLER:
        return replay_filler(run, record, is_after_state);
    default:
        return replay_push(run, record, at);
    }
}

int ss_replay_meet_state(ss_recovery *run, uint64_t at)
{
    if (run->is_past_state || at < run->state.position)
        return SEENSET_OK;
    run->is_past_state = true;
    run->item_at_state = run->queue->log.next_item;
    return run->queue->frontier != NULL ? ss_replay_polite_state(run)
                                        : SEENSET_OK;
}

int ss_replay(ss_recovery *run, const ss_record *record, uint64_t at)
{
    int error = SEENSET_OK;
    if (!is_in_order(run, record, at))
        return ss_recovery_refuse(run, at, "a record is out of order");
    if (!run->knows_item)
        error = begin_items(run, record->item);
    if (error == SEENSET_OK)
        error = ss_replay_meet_state(run, at);
    if (run->queue->frontier != NULL && at >= run->state.lanes[0].read_position)
        ss_live_note(&run->queue->frontier->live, at, record->item);
    return error == SEENSET_OK ? replay_in_order(run, record, at) : error;
}
