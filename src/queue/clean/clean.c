/* clean.c - see clean.h */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/clean/clean.h"

#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "base/order.h"
#include "queue/polite.h"

enum {
    LOOK_RATIO = 16,        /* bytes looked at for each that changed */
    STEP_BYTES = 128 << 10, /* that change from one step to the next, or */
    STEPS_A_SEGMENT = 8,    /* so many in a segment, if that is less */
    MOST_AT_ONCE = 2 * STEP_BYTES, /* of those that one call changed; others
                                      are left to the next calls */
    MOST_MOVES = 8192,             /* on their way */
    MOST_BEFORE = 1 << 20 /* bytes that changed before the queue was opened */
};

/* ---- items that were written again ---- */

/* From now on the item is where it was moved to, unless it was acked. If it was
 * moved twice, it is where a record of the same length is. */
static int settle_move(seenset_queue *queue, const ss_move *move)
{
    ss_frontier *frontier = queue->frontier;
    ss_leased_item *entry = ss_polite_leased(queue, move->item);
    ss_span from = move->from;
    int error = ss_polite_position(queue, move->item, &from.at);
    if (error != 1)
        return error;
    if (from.at != move->from.at)
        from.bytes = move->to.bytes;
    error = SEENSET_OK;
    if (entry != NULL) {
        entry->position = move->to.at;
        ss_leases_set_bytes(&ss_items_lane_of(&queue->items, entry)->leases,
                            entry, move->to.bytes);
    } else {
        error = ss_frontier_move(frontier, move->item, move->to);
    }
    if (error != SEENSET_OK)
        return error;
    ss_live_remove(&frontier->live, from.at, from.bytes);
    ss_live_add(&frontier->live, move->to.at, move->to.bytes);
    return SEENSET_OK;
}

/* All items before the position were moved from the segment that is looked at:
 * it is needed from there on, also after an opening. */
static void advance(seenset_queue *queue)
{
    const ss_cleaner *cleaner = &queue->cleaner;
    ss_live *live = &queue->frontier->live;
    const ss_live_segment *first = ss_live_next(live, 0);
    if (cleaner->position == 0 || cleaner->has_left || first == NULL ||
        first->start !=
            ss_log_reader_segment_of(&queue->log.segments, cleaner->position))
        return;
    ss_live_advance(live, cleaner->position, cleaner->number);
}

int ss_clean_settle(seenset_queue *queue)
{
    ss_cleaner *cleaner = &queue->cleaner;
    uint64_t limit = ss_append_readable(queue);
    int error = SEENSET_OK;
    size_t over = 0;
    while (over < cleaner->count &&
           cleaner->moves[over].to.at + cleaner->moves[over].to.bytes <=
               limit &&
           (error = settle_move(queue, &cleaner->moves[over])) == SEENSET_OK)
        over++;
    ss_cleaner_drop(cleaner, over);
    if (cleaner->count == 0)
        advance(queue);
    return error;
}

/* ---- one record ---- */

/* Is this the current record of a pending item? An item whose ack is being
 * written stays where it is. 1, 0 or an error of scratch. */
static int is_live(seenset_queue *queue, uint64_t item, uint64_t at)
{
    uint64_t position;
    int result = ss_polite_position(queue, item, &position);
    if (result != 1 || position != at)
        return result < 0 ? result : 0;
    const ss_leased_item *entry = ss_polite_leased(queue, item);
    bool is_acking = entry != NULL && entry->state == SS_LEASE_ACKING;
    queue->cleaner.has_left |= is_acking;
    return !is_acking;
}

/* Appends the record of an item once more; there is room for it. */
static void append_move(seenset_queue *queue, const ss_record *pushed,
                        uint64_t at)
{
    ss_cleaner *cleaner = &queue->cleaner;
    size_t bytes = SS_MOVED_PREFIX_BYTES + (size_t)pushed->payload_bytes;
    uint8_t *payload = ss_log_end_payload(&queue->log);
    const ss_move move = {
        .item = pushed->item,
        .from = {at, (uint32_t)ss_record_bytes(pushed)},
        .to = {queue->log.tail, (uint32_t)(SS_RECORD_HEADER_BYTES + bytes)}};
    ss_bits_store(payload, 8, pushed->item);
    payload[8] = (uint8_t)pushed->type;
    memcpy(payload + SS_MOVED_PREFIX_BYTES, pushed->payload,
           pushed->payload_bytes);
    ss_append_record(queue, SS_RECORD_MOVED, bytes);
    cleaner->moves[cleaner->count++] = move;
}

/* Moves an item if this is its record. Returns 0 or an error. */
static int move_item(seenset_queue *queue, const ss_record *pushed, uint64_t at)
{
    int result = is_live(queue, pushed->item, at);
    if (result != 1)
        return result;
    int error = ss_append_reserve_copy(
        queue, SS_RECORD_HEADER_BYTES + SS_MOVED_PREFIX_BYTES +
                   (size_t)pushed->payload_bytes);
    if (error == SEENSET_OK &&
        !ss_cleaner_reserve(&queue->cleaner, &queue->memory))
        error = SEENSET_ENOMEM;
    if (error != SEENSET_OK)
        return error;
    result = is_live(queue, pushed->item, at);
    if (result == 1)
        append_move(queue, pushed, at);
    return result < 0 ? result : SEENSET_OK;
}

/* ---- a step ---- */

/* Where the last segment starts. It gets more, and is not looked at. */
static uint64_t last_segment(const seenset_queue *queue)
{
    return ss_log_end_segment(&queue->log);
}

/* The segment that is looked at next, from the position on; NULL: all were. */
static const ss_live_segment *find_segment(seenset_queue *queue)
{
    ss_cleaner *cleaner = &queue->cleaner;
    const ss_live_segment *segment =
        ss_live_next(&queue->frontier->live, cleaner->position);
    if (segment == NULL || segment->start >= last_segment(queue))
        return NULL;
    if (cleaner->position < segment->first_at) {
        cleaner->position = segment->first_at;
        cleaner->number = segment->first_item;
    }
    return segment;
}

/* Is the next record that of an item on its way? Nothing can be said of it: the
 * item is still used where it was. */
static bool has_met_move(const ss_cleaner *cleaner)
{
    return cleaner->count > 0 && cleaner->position >= cleaner->moves[0].to.at;
}

/* Looks at the next record. Returns how many bytes it has, 0 if there is none
 * left, or an error. */
static int64_t look(seenset_queue *queue)
{
    ss_cleaner *cleaner = &queue->cleaner;
    ss_log_reader *reader = &cleaner->reader;
    ss_record record;
    uint64_t at;
    bool must_wait = cleaner->position == 0 && cleaner->count > 0;
    if (must_wait || find_segment(queue) == NULL || has_met_move(cleaner))
        return 0;
    if (reader->position != cleaner->position)
        ss_log_reader_seek(reader, cleaner->position);
    int result = ss_log_reader_next(reader, last_segment(queue), &record, &at);
    if (result != 1)
        return result;
    const ss_record pushed = ss_record_pushed(&record);
    int error = ss_record_is_push(pushed.type) ? move_item(queue, &pushed, at)
                                               : SEENSET_OK;
    if (error != SEENSET_OK)
        return error;
    uint64_t next = at + ss_record_bytes(&record);
    if (cleaner->position != 0) { /* nothing was rolled back */
        cleaner->position = next;
        cleaner->number = record.item + ss_record_is_push(record.type);
    }
    return (int64_t)(next - at);
}

/* What was appended can be read, and is where it was moved to. */
static int catch_up(seenset_queue *queue)
{
    int error = ss_append_write_copies(queue);
    if (error == SEENSET_OK && ss_queue_is_each(queue))
        error = ss_append_flush(queue);
    return error == SEENSET_OK ? ss_clean_settle(queue) : error;
}

/* The reader is made when it is needed; the manifest says that items may be
 * moved before the first one is. */
static int prepare(seenset_queue *queue)
{
    ss_log_reader *reader = &queue->cleaner.reader;
    int error = SEENSET_OK;
    if (reader->buffer == NULL)
        error = ss_log_reader_init_like(reader, &queue->items.lanes[0].reader);
    if (error == SEENSET_OK)
        error = ss_create_moved(queue);
    if (error == SEENSET_OK)
        error = ss_append_begin_copies(queue);
    if (error == SEENSET_OK)
        error = ss_clean_settle(queue);
    return error == SEENSET_OK
               ? ss_frontier_link(queue->frontier, queue->log.next_item,
                                  ss_append_readable(queue))
               : error;
}

/* Is an item left in a segment that was looked at? It was on its way to be
 * acked, or its new record was rolled back. */
static bool was_one_left(const seenset_queue *queue)
{
    const ss_cleaner *cleaner = &queue->cleaner;
    const ss_live_segment *first = ss_live_next(&queue->frontier->live, 0);
    return cleaner->count == 0 && first != NULL &&
           first->start < ss_log_reader_segment_of(&queue->log.segments,
                                                   cleaner->position);
}

/* Puts those on their way where they were moved to, so that all others can be
 * looked at. Returns 1, 0 (some have to wait) or an error. */
static int64_t arrive(seenset_queue *queue)
{
    if (catch_up(queue) != SEENSET_OK)
        return SEENSET_EIO;
    return !has_met_move(&queue->cleaner);
}

/* Looks at so many bytes of the log. Returns 1, 0 (there are none left) or an
 * error. */
static int look_at(seenset_queue *queue, uint64_t bytes)
{
    const ss_cleaner *cleaner = &queue->cleaner;
    int64_t result = 1;
    for (uint64_t looked = 0; result > 0 && looked < bytes;) {
        result = look(queue);
        looked += result > 0 ? (uint64_t)result : 0;
        if (result >= 0 &&
            (cleaner->count >= MOST_MOVES || has_met_move(cleaner)))
            result = arrive(queue);
    }
    return result > 0 ? 1 : (int)result;
}

/* The position of the newest state. */
static uint64_t state_position(const seenset_queue *queue)
{
    const ss_snapshot_pair *states = &queue->snapshots.states;
    return states->count > 0 ? states->at[0].position : 0;
}

/* Moves what it finds there. It is written before others append. Returns as
 * look_at. */
static int move_items(seenset_queue *queue, uint64_t bytes)
{
    if (was_one_left(queue))
        ss_cleaner_restart(&queue->cleaner);
    int result = look_at(queue, bytes);
    int error = ss_append_write_copies(queue);
    return result < 0 || error == SEENSET_OK ? result : error;
}

/* True: there may be more to look at. */
static bool step(seenset_queue *queue, uint64_t bytes)
{
    int result = prepare(queue);
    if (result == SEENSET_OK)
        result = move_items(queue, bytes);
    queue->snapshots.failed_count += result < 0;
    queue->cleaner.has_failed = result == SEENSET_EIO;
    queue->cleaner.failed_after = state_position(queue);
    return result == 1;
}

/* A disk that was full is tried again once it has taken a new state. */
static bool is_disk_full(const seenset_queue *queue)
{
    const ss_cleaner *cleaner = &queue->cleaner;
    return cleaner->has_failed &&
           cleaner->failed_after == state_position(queue);
}

/* ---- when ---- */

/* Where the oldest item is, by segments. */
static uint64_t oldest_segment(const seenset_queue *queue)
{
    const ss_live_segment *first = ss_live_next(&queue->frontier->live, 0);
    return first == NULL ? last_segment(queue) : first->start;
}

static bool is_too_long(const seenset_queue *queue)
{
    uint64_t live = queue->frontier->live.bytes;
    return queue->log.tail - oldest_segment(queue) >
           live + live / 4 * 3 + 2 * queue->log.segment_bytes;
}

/* Is so much of the log needed only because a state is old? 0: the newest. */
static bool is_state_old(const seenset_queue *queue, unsigned index,
                         uint64_t most_segments)
{
    const ss_snapshot_pair *states = &queue->snapshots.states;
    uint64_t oldest = oldest_segment(queue);
    uint64_t floor = states->count > index ? states->at[index].floor
                                           : queue->log.segments.at[0];
    return oldest > floor &&
           oldest - floor >= most_segments * queue->log.segment_bytes;
}

/* What changed before the queue was opened counts, if no state has it: a
 * process that was killed left it. */
void ss_clean_begin(seenset_queue *queue)
{
    ss_cleaner *cleaner = &queue->cleaner;
    uint64_t tail = queue->log.tail, from = state_position(queue);
    if (queue->frontier == NULL)
        return;
    cleaner->is_on = true;
    cleaner->tail =
        tail > MOST_BEFORE ? ss_higher(from, tail - MOST_BEFORE) : from;
    cleaner->done = queue->frontier->live.done;
}

/* How many bytes were appended and acked since the last step, and before that
 * if it did not come to them. */
static uint64_t changed_bytes(const seenset_queue *queue)
{
    const ss_cleaner *cleaner = &queue->cleaner;
    uint64_t tail = queue->log.tail;
    uint64_t appended = tail > cleaner->tail ? tail - cleaner->tail : 0;
    return cleaner->left + appended + queue->frontier->live.done -
           cleaner->done;
}

static void clean(seenset_queue *queue, uint64_t least_bytes)
{
    ss_cleaner *cleaner = &queue->cleaner;
    if (!cleaner->is_on || cleaner->is_running ||
        ss_queue_check(queue) != SEENSET_OK)
        return;
    uint64_t changed = changed_bytes(queue);
    if (changed < least_bytes)
        return;
    int saved_errno = errno;
    cleaner->is_running = true;
    uint64_t taken = ss_lower(changed, MOST_AT_ONCE);
    bool goes_on = is_too_long(queue) && !is_disk_full(queue) &&
                   step(queue, LOOK_RATIO * taken);
    cleaner->left = goes_on ? changed - taken : 0;
    if (cleaner->has_failed || is_state_old(queue, 0, 2) ||
        is_state_old(queue, 1, 4))
        queue->snapshots.is_due = true;
    cleaner->tail = queue->log.tail;
    cleaner->done = queue->frontier->live.done;
    cleaner->is_running = false;
    errno = saved_errno;
}

void ss_clean_if_due(seenset_queue *queue)
{
    clean(queue,
          ss_lower(STEP_BYTES, queue->log.segment_bytes / STEPS_A_SEGMENT));
}

void ss_clean_at_end(seenset_queue *queue)
{
    clean(queue, 1);
}
