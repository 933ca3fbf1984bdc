/*
 * agreement.c - does the log agree with the snapshots that it is read from?
 *
 * Checksums find accidents in each of them. What they do not find is a file of
 * another time, of a backup, say. A queue that took it would lose items, or
 * count some that do not exist.
 */
#include "queue/recover/agreement.h"
#include "queue/recover/replay.h"

#include "base/order.h"

static const char lacks_items[] = "the log lacks items of its snapshots";
static const char other_items[] = "the log has other items than its snapshots";

/*
 * Does the reader's item come next where it continues? Otherwise items would be
 * lost, or handed out that are not counted as pending. If no record can be read
 * there, the pop that comes to it says so.
 */
static int compare_reader(ss_recovery *run, const ss_state_lane *lane)
{
    ss_record record;
    uint64_t at;
    ss_log_reader *reader = &run->queue->items.lanes[0].reader;
    ss_log_reader_seek(reader, lane->read_position);
    int result = ss_log_reader_next(reader, run->end, &record, &at);
    if (result == 0 && lane->read_item != run->queue->log.next_item)
        return ss_recovery_refuse(run, run->end, lacks_items);
    if (result == 1 && !ss_record_follows(&record, lane->read_item))
        return ss_recovery_refuse(run, at, other_items);
    return result == SEENSET_EIO || result == SEENSET_ENOMEM ? result
                                                             : SEENSET_OK;
}

/* The same for each lane that has a reader of its own. */
static int compare_readers(ss_recovery *run)
{
    const ss_state *state = &run->state;
    int error = compare_reader(run, &state->lanes[0]);
    for (unsigned i = 1; i < SS_LANES && error == SEENSET_OK; i++) {
        if (state->is_extended)
            error = compare_reader(run, &state->lanes[i]);
    }
    return error;
}

/* The state has counted the items before its position, and the records from
 * there on count the others. */
static int compare_count(ss_recovery *run)
{
    int error =
        ss_replay_meet_state(run, ss_higher(run->end, run->state.position));
    if (error != SEENSET_OK)
        return error;
    return run->queue->snapshots.states.count == 0 ||
                   run->item_at_state == run->state.next_item
               ? SEENSET_OK
               : ss_recovery_refuse(run, run->state.position, other_items);
}

/* The log was read from `from` on: no lane has more items there that wait than
 * the state says, and just as many if its reader is there, too. Otherwise a
 * lane would be taken for empty before its last item. */
static int compare_waiting(ss_recovery *run, uint64_t from)
{
    const ss_state *state = &run->state;
    if (run->queue->frontier != NULL)
        return run->is_state_wrong && run->queue->snapshots.states.count > 0
                   ? ss_recovery_refuse(run, state->position, other_items)
                   : SEENSET_OK;
    for (unsigned i = 0; i < SS_LANES && state->is_extended; i++) {
        uint64_t waiting = ss_state_waiting(state, i);
        if (run->waiting[i] > waiting ||
            (run->waiting[i] < waiting &&
             state->lanes[i].read_position >= from))
            return ss_recovery_refuse(run, state->position, other_items);
    }
    return SEENSET_OK;
}

/* Where the first item may be that waits. */
static uint64_t first_waiting(const ss_state *state, uint64_t end)
{
    uint64_t first = end;
    for (unsigned i = 0; i < SS_LANES; i++) {
        if (ss_state_waiting(state, i) > 0)
            first = ss_lower(first, state->lanes[i].read_position);
    }
    return first;
}

int ss_agreement_begin(ss_recovery *run, uint64_t *from)
{
    enum {
        MOST_BYTES = 8 << 20
    };
    ss_log_reader *reader = &run->queue->items.lanes[0].reader;
    uint64_t first = first_waiting(&run->state, *from), at;
    ss_record record;
    int result = 1;
    if (!run->state.is_extended || run->state.is_polite ||
        *from - first > MOST_BYTES)
        return SEENSET_OK;
    ss_log_reader_seek(reader, first);
    while (reader->position < *from && result == 1) {
        result = ss_log_reader_next(reader, *from, &record, &at);
        int error = result == 1 ? ss_replay_before(run, &record, at) : 0;
        if (error != SEENSET_OK)
            result = error;
    }
    if (result == 1) {
        *from = first;
        return SEENSET_OK;
    }
    for (unsigned i = 0; i < SS_LANES; i++)
        run->waiting[i] = 0;
    return result == SEENSET_ENOMEM || result == SEENSET_EIO ? result
                                                             : SEENSET_OK;
}

int ss_agreement_check(ss_recovery *run, uint64_t from)
{
    int error = SEENSET_OK;
    if (run->queue->log.next_item < run->state.next_item)
        return ss_recovery_refuse(run, run->end, lacks_items);
    if (run->queue->frontier == NULL)
        error = compare_readers(run);
    if (error == SEENSET_OK)
        error = compare_count(run);
    return error == SEENSET_OK ? compare_waiting(run, from) : error;
}
