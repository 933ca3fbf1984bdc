/*
 * list.c - shows what is pending, item by item, and changes nothing.
 *
 * The walk reads the log with a reader of its own, once for each lane that has
 * items, from the lane's oldest one to where the log ended when the walk came
 * to the lane. It holds the mutex for one item, or for some records that are
 * none, and not while the visitor is called. So the queue goes on meanwhile: a
 * segment may be removed in front of the walk, which then has no item left that
 * is not acked, and is passed.
 *
 * In a polite queue an item may have been moved in the log, and has two records
 * for a while. So the walk goes from item to item by number, and reads the
 * record of each where it is.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include <errno.h>

#include "base/order.h"
#include "queue/polite.h"

enum {
    RECORDS_AT_ONCE = 1024,
    READ_AGAIN = 2 /* no item was found yet */
};

typedef struct walk {
    seenset_queue *queue;
    ss_lane *lane;
    ss_log_reader reader;
    uint64_t end;                /* of the log for this lane */
    uint64_t number, end_number; /* in a polite queue: the next, and the end */
    seenset_queue_item item;     /* the copy that is shown */
    seenset_queue_listed shown;
} walk;

/* ---- one item, mutex held ---- */

/* An item that was handed out. */
static void show_lease(walk *at, const ss_leased_item *entry)
{
    uint64_t now_ns = ss_queue_now(at->queue);
    bool is_acking = entry->state == SS_LEASE_ACKING;
    bool is_due =
        entry->state == SS_LEASE_ENDED || entry->state == SS_LEASE_DUE;
    uint64_t due_ns = is_acking ? entry->lease_ns : entry->due_ns;
    at->shown.deliveries = entry->deliveries;
    if (is_due || due_ns <= now_ns)
        return;
    at->shown.seconds = (double)(due_ns - now_ns) / 1e9;
    at->shown.state = SEENSET_QUEUE_ITEM_DELAYED;
    if (entry->state == SS_LEASE_WAITING)
        return;
    at->shown.state = SEENSET_QUEUE_ITEM_LEASED;
    at->shown.lease = ss_leases_id(entry);
}

/* An item in a run: 1, or another result of ss_delays_next. */
static int show_delayed(walk *at, uint64_t item)
{
    ss_delay found;
    int64_t now_ns = (int64_t)ss_queue_now(at->queue);
    int result = ss_delays_next(&at->lane->delays, &at->queue->items.run_files,
                                item, &found);
    if (result != 1 || found.item != item)
        return result < 0 ? result : 0;
    at->shown.deliveries = found.deliveries;
    if (found.due_ns > now_ns) {
        at->shown.seconds = (double)(found.due_ns - now_ns) / 1e9;
        at->shown.state = SEENSET_QUEUE_ITEM_DELAYED;
    }
    return 1;
}

/* Is the item of a push of this lane not acked? Then its state is filled in.
 * 1, 0 or an error. */
static int is_pending(walk *at, const ss_record *record)
{
    const ss_lane *lane = at->lane;
    const ss_leased_item *entry =
        ss_leases_by_item(&lane->leases, record->item);
    const ss_frontier *frontier = at->queue->frontier;
    bool is_waiting =
        frontier != NULL
            ? ss_pending_has(&frontier->pending, record->item)
            : record->item >= lane->read_item &&
                  ss_ranges_skip(&lane->done, record->item) == record->item;
    at->shown = (seenset_queue_listed){.number = record->item,
                                       .priority = ss_record_lane(record),
                                       .state = SEENSET_QUEUE_ITEM_WAITING};
    if (entry != NULL)
        show_lease(at, entry);
    if (entry != NULL || (is_waiting && frontier == NULL))
        return 1;
    int result = show_delayed(at, record->item);
    return result == 0 && is_waiting ? 1 : result;
}

static int copy(walk *at, const ss_record *record)
{
    int error = ss_item_fill(&at->item, &at->queue->memory, record);
    at->shown.url = at->item.url;
    at->shown.url_len = at->item.url_len;
    at->shown.data = at->item.data;
    at->shown.data_len = at->item.data_len;
    return error == SEENSET_OK ? 1 : error;
}

/* ---- the walk ---- */

/* Was the segment removed in which nothing could be read? In memory there is
 * no damage. */
static bool is_gone(const walk *at, int error)
{
    return (error == SEENSET_EIO && errno == ENOENT) ||
           (error == SEENSET_EDAMAGED && at->queue->is_in_memory);
}

/* Goes to the next segment; false: this is the last. */
static bool pass_segment(walk *at)
{
    const ss_positions *segments = &at->queue->log.segments;
    size_t i = 0;
    while (i < segments->count && segments->at[i] <= at->reader.position)
        i++;
    if (i == segments->count)
        return false;
    ss_log_reader_seek(&at->reader, segments->at[i]);
    return true;
}

/* Is it an item of this lane that is shown? Then it is copied, as next_locked
 * returns. */
static int show(walk *at, const ss_record *record)
{
    if (!ss_record_is_push(record->type) ||
        &at->queue->items.lanes[ss_record_lane(record)] != at->lane)
        return READ_AGAIN;
    int result = is_pending(at, record);
    if (result == 0)
        return READ_AGAIN;
    return result == 1 ? copy(at, record) : result;
}

/* Returns 1 (an item), READ_AGAIN, 0 (the end) or an error. */
static int next_record(walk *at)
{
    ss_record record;
    ss_log_reader *reader = &at->reader;
    uint64_t first = at->queue->log.segments.at[0];
    if (reader->position < first)
        ss_log_reader_seek(reader, first);
    int result = READ_AGAIN;
    for (int i = 0; i < RECORDS_AT_ONCE && result == READ_AGAIN; i++) {
        result = ss_log_reader_next(reader, at->end, &record, NULL);
        if (is_gone(at, result))
            return pass_segment(at) ? READ_AGAIN : 0;
        if (result == 1)
            result = show(at, &record);
    }
    return result;
}

/* The same by numbers. */
static int next_item(walk *at)
{
    ss_record record;
    seenset_queue *queue = at->queue;
    int result = READ_AGAIN;
    for (int i = 0; i < RECORDS_AT_ONCE && result == READ_AGAIN; i++) {
        uint64_t position, item = ss_pending_next(&queue->frontier->pending,
                                                  at->number, at->end_number);
        if (item == at->end_number)
            return 0;
        at->number = item + 1;
        result = ss_polite_position(queue, item, &position);
        if (result == 1)
            result = ss_pop_read(queue, position, item, &record);
        if (result == 1)
            result = show(at, &record);
    }
    return result;
}

static int next_locked(walk *at)
{
    int result = ss_queue_check(at->queue);
    if (result != SEENSET_OK)
        return result;
    return at->queue->frontier != NULL ? next_item(at) : next_record(at);
}

/* Begins with the oldest item of a polite queue, and goes on to the last whose
 * record can be read by now. Returns 0 or an error of scratch. */
static int begin_items(walk *at, const ss_lane *lane)
{
    seenset_queue *queue = at->queue;
    ss_frontier *frontier = queue->frontier;
    int error = ss_frontier_link(frontier, queue->log.next_item,
                                 ss_append_readable(queue));
    at->number = 0;
    at->end_number = lane->unacked_items > 0 ? frontier->next_link : 0;
    return error;
}

static void begin_records(walk *at, const ss_lane *lane)
{
    const ss_leases *leases = &lane->leases;
    uint64_t from =
        ss_lower(lane->reader.position, ss_delays_floor(&lane->delays));
    for (const ss_leased_item *item = ss_leases_oldest(leases); item != NULL;
         item = ss_leases_newer(leases, item))
        from = ss_lower(from, item->position);
    at->end = lane->unacked_items > 0 ? ss_append_readable(at->queue) : 0;
    ss_log_reader_seek(&at->reader, from);
}

/* Begins with the oldest item of a lane. Returns 0, or the error of a write or
 * of scratch. */
static int begin_lane(walk *at, ss_lane *lane)
{
    seenset_queue *queue = at->queue;
    int error = ss_queue_check(queue);
    if (error == SEENSET_OK && !ss_queue_is_each(queue))
        error = ss_append_write(queue);
    if (error != SEENSET_OK)
        return error;
    at->lane = lane;
    if (queue->frontier != NULL)
        return begin_items(at, lane);
    begin_records(at, lane);
    return SEENSET_OK;
}

static int list_lane(walk *at, ss_lane *lane,
                     seenset_queue_visit_function *visit, void *context)
{
    pthread_mutex_t *mutex = &at->queue->mutex;
    pthread_mutex_lock(mutex);
    int result = begin_lane(at, lane);
    pthread_mutex_unlock(mutex);
    while (result == SEENSET_OK) {
        pthread_mutex_lock(mutex);
        result = next_locked(at);
        pthread_mutex_unlock(mutex);
        if (result <= 0)
            return result;
        result = result == READ_AGAIN ? 0 : visit(context, &at->shown);
    }
    return result;
}

int seenset_queue_list(seenset_queue *queue,
                       seenset_queue_visit_function *visit, void *context)
{
    if (queue == NULL || visit == NULL)
        return SEENSET_EINVAL;
    walk at = {.queue = queue};
    int result =
        ss_log_reader_init_like(&at.reader, &queue->items.lanes[0].reader);
    for (unsigned i = SS_LANES; i > 0 && result == SEENSET_OK; i--)
        result = list_lane(&at, &queue->items.lanes[i - 1], visit, context);
    int saved_errno = errno;
    seenset_queue_item_free(&at.item);
    ss_log_reader_free(&at.reader);
    errno = saved_errno;
    return result;
}
