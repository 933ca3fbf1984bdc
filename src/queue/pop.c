/*
 * pop.c - handing items out.
 *
 * The highest priority that has an item comes first. In its lane an item whose
 * lease or delay has ended goes first. Otherwise the lane's reader continues in
 * the log. It passes records that are not pushes, items of other lanes, and
 * items that were acked before a restart.
 *
 * A polite queue asks its frontier instead, and reads the item's record where
 * that says it is.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/delayed/delayed.h"
#include "queue/delayed/settle.h"
#include "queue/polite.h"

#include "base/growth.h"

enum {
    POPS_AT_ONCE = 256 /* of pop_many with the mutex held once */
};

/* ---- what comes next ---- */

/* The item that pop hands out next. */
typedef struct found {
    ss_lane *lane;
    ss_leased_item *again; /* it was handed out before, or NULL */
    ss_record record;
    uint64_t at;   /* the record's position */
    uint32_t host; /* in a polite queue */
    ss_link link;  /* there, unless it was handed out before */
} found;

int ss_pop_read(seenset_queue *queue, uint64_t position, uint64_t item,
                ss_record *record)
{
    ss_log_reader *reader = &queue->items.rereads;
    uint64_t limit = ss_append_readable(queue);
    ss_log_reader_back(reader, position); /* it may have it already */
    int error = queue->frontier != NULL
                    ? ss_log_blocks_read(&queue->items.blocks, reader, position,
                                         limit, record)
                    : ss_log_reader_next(reader, limit, record, NULL);
    if (error < 0)
        return error;
    if (error == 1)
        *record = ss_record_pushed(record);
    bool is_it =
        error == 1 && ss_record_is_push(record->type) && record->item == item;
    return is_it ? 1 : SEENSET_EDAMAGED;
}

/* Reads the record of an item that was handed out before. */
static int read_again(seenset_queue *queue, const ss_leased_item *entry,
                      ss_record *record)
{
    return ss_pop_read(queue, entry->position, entry->item, record);
}

/* Is it the record that follows, of no item that recovery did not count? */
static bool is_in_order(const ss_lane *lane, const ss_record *record,
                        uint64_t next_item)
{
    bool is_push = ss_record_is_push(record->type);
    return ss_record_follows(record, lane->read_item) &&
           record->item + is_push <= next_item;
}

/* Finds the next push of the lane that is not acked: 1, 0 (there is none) or an
 * error. */
static int read_next(ss_items *items, uint64_t limit, uint64_t next_item,
                     found *next)
{
    int result;
    ss_lane *lane = next->lane;
    const ss_record *record = &next->record;
    while ((result = ss_log_reader_next(&lane->reader, limit, &next->record,
                                        &next->at)) == 1) {
        bool is_push = ss_record_is_push(record->type);
        if (record->item < lane->read_item)
            continue;
        if (!is_in_order(lane, record, next_item)) {
            ss_log_reader_seek(&lane->reader, next->at);
            return SEENSET_EDAMAGED;
        }
        if (is_push && &items->lanes[ss_record_lane(record)] == lane &&
            ss_ranges_skip(&lane->done, record->item) == record->item)
            return 1;
        if (is_push || record->type == SS_RECORD_FILLER)
            lane->read_item = record->item + is_push;
    }
    return result;
}

/* The same. Writes the block first if only that has more. */
static int read_or_write(seenset_queue *queue, found *next)
{
    const ss_log_end *log = &queue->log;
    ss_log_reader *reader = &next->lane->reader;
    int result = SEENSET_OK;
    if (reader->buffer == NULL)
        result = ss_log_reader_init_like(reader, &queue->items.lanes[0].reader);
    if (result == SEENSET_OK)
        result = read_next(&queue->items, ss_append_readable(queue),
                           log->next_item, next);
    if (result != 0 || ss_queue_is_each(queue) || log->written == log->tail)
        return result;
    int error = ss_append_write(queue);
    if (error != SEENSET_OK)
        return error;
    return read_next(&queue->items, ss_append_readable(queue), log->next_item,
                     next);
}

/* Nothing waits in a lane that has no priority over another, or is empty. */
static bool may_wait(const ss_items *items, const ss_lane *lane)
{
    return !items->has_lanes || ss_lane_waiting(lane) > 0;
}

static int find_in_lane(seenset_queue *queue, uint64_t now_ns, found *next)
{
    ss_lane *lane = next->lane;
    int error = ss_delayed_bring(queue, lane, now_ns);
    if (error != SEENSET_OK)
        return error;
    next->again = ss_leases_due(&lane->leases, now_ns);
    if (next->again != NULL)
        return read_again(queue, next->again, &next->record);
    return may_wait(&queue->items, lane) ? read_or_write(queue, next) : 0;
}

/* The host whose turn it is has a first item: reads it. */
static int read_turn(seenset_queue *queue, found *next)
{
    ss_frontier *frontier = queue->frontier;
    ss_front front;
    (void)ss_frontier_best(frontier, next->host, &front);
    next->lane = &queue->items.lanes[front.lane];
    next->again = NULL;
    if (front.is_again) {
        next->again = ss_leases_by_item(&next->lane->leases, front.item);
        return read_again(queue, next->again, &next->record);
    }
    int error = ss_links_read(&frontier->links, front.item, &next->link);
    if (error != SEENSET_OK)
        return error;
    next->at = next->link.at;
    int result = ss_pop_read(queue, next->at, front.item, &next->record);
    bool is_of_lane =
        result != 1 || ss_record_lane(&next->record) == front.lane;
    return is_of_lane ? result : SEENSET_EDAMAGED;
}

/* The same for a polite queue: of the host whose turn it is. */
static int find_polite(seenset_queue *queue, uint64_t now_ns, found *next)
{
    ss_frontier *frontier = queue->frontier;
    next->host = ss_turns_first(&frontier->turns, ss_polite_ms_down(now_ns));
    return next->host == SS_HOSTS_NONE ? 0 : read_turn(queue, next);
}

/* What is only in the block of a polite queue is written, so that no host waits
 * for it. */
static int write_what_waits(seenset_queue *queue)
{
    const ss_log_end *log = &queue->log;
    return !ss_queue_is_each(queue) && log->written != log->tail &&
                   queue->frontier->next_link < log->next_item
               ? ss_append_write(queue)
               : SEENSET_OK;
}

/* Whenever the mutex was taken: in a polite queue what has ended by now waits
 * for its turn. Returns 0 or an error. */
static int begin_to_find(seenset_queue *queue, uint64_t now_ns)
{
    if (queue->frontier == NULL)
        return SEENSET_OK;
    int error = ss_queue_check(queue);
    if (error == SEENSET_OK)
        error = write_what_waits(queue);
    return error == SEENSET_OK ? ss_settle_due(queue, now_ns) : error;
}

/* Finds what is handed out next: 1, 0 (there is nothing) or an error. */
static int find_next(seenset_queue *queue, uint64_t now_ns, found *next)
{
    ss_items *items = &queue->items;
    int result = ss_queue_check(queue);
    if (result == SEENSET_OK && queue->frontier != NULL)
        return find_polite(queue, now_ns, next);
    for (unsigned i = items->has_lanes ? SS_LANES : 1; i > 0 && result == 0;
         i--) {
        next->lane = &items->lanes[i - 1];
        result = find_in_lane(queue, now_ns, next);
    }
    return result;
}

/* ---- pop ---- */

/* The leases that a call gives. */
typedef struct hand_outs {
    seenset_queue *queue;
    uint64_t now_ns, lease_ns;
    ss_item_room *to; /* NULL: into the items' own memory */
} hand_outs;

/* Its host is a part of its URL. */
static void show_host(const seenset_queue *queue, seenset_queue_item *item)
{
    size_t start, len;
    item->host = NULL;
    item->host_len = 0;
    if (queue->frontier == NULL)
        return;
    ss_frontier_site(queue->frontier, item->url, item->url_len, &start, &len);
    item->host = (const char *)item->url + start;
    item->host_len = len;
}

/* Gives the entry a new lease. */
static void hand_out(const hand_outs *call, const found *next,
                     seenset_queue_item *item, ss_leased_item *entry)
{
    if (call->queue->frontier != NULL) {
        entry->host = next->host;
        ss_polite_hand_out(call->queue, entry,
                           next->again == NULL ? &next->link : NULL,
                           call->now_ns);
    }
    show_host(call->queue, item);
    entry->deliveries++;
    entry->turn = ss_items_next_turn(&call->queue->items, entry) % SS_TURNS;
    ss_items_set(&call->queue->items, entry, SS_LEASE_HELD,
                 call->now_ns + call->lease_ns);
    item->lease = ss_leases_id(entry);
    item->number = entry->item;
    item->deliveries = entry->deliveries;
    call->queue->snapshots.is_dirty = true;
}

/* An item that was never handed out is handed out now; NULL: no memory. */
static ss_leased_item *begin_lease(seenset_queue *queue, const found *next)
{
    ss_lane *lane = next->lane;
    if (ss_polite_reserve_lease(queue) != SEENSET_OK)
        return NULL;
    ss_leased_item *entry = ss_items_add(&queue->items, &queue->memory,
                                         (unsigned)(lane - queue->items.lanes),
                                         next->record.item, next->at);
    if (entry == NULL)
        return NULL;
    if (queue->frontier != NULL) {
        ss_leases_set_bytes(&lane->leases, entry,
                            (uint32_t)ss_record_bytes(&next->record));
        return entry;
    }
    lane->read_item = next->record.item + 1;
    if (lane->done.count > 0 && lane->done.at[0].end <= lane->read_item)
        ss_ranges_trim(&lane->done, lane->read_item);
    return entry;
}

/* Copies the item and gives it an entry: 1, 0 (it does not fit) or an error. */
static int take(const hand_outs *call, const found *next,
                seenset_queue_item *item, ss_leased_item **entry)
{
    seenset_queue *queue = call->queue;
    int error = SEENSET_OK;
    if (call->to == NULL)
        error = ss_item_fill(item, &queue->memory, &next->record);
    else if (!ss_item_fill_room(item, call->to, &next->record))
        return 0;
    if (error != SEENSET_OK)
        return error;
    *entry = next->again != NULL ? next->again : begin_lease(queue, next);
    return *entry == NULL ? SEENSET_ENOMEM : 1;
}

/* The manifest first: a state with such a turn is of a later version. */
static int make_turn(seenset_queue *queue, const found *next)
{
    if (next->again == NULL ||
        ss_items_next_turn(&queue->items, next->again) < SS_SHORT_TURNS)
        return SEENSET_OK;
    return ss_create_turns(queue);
}

/* Finds what is handed out next, and makes sure that it may be. While that
 * waits for the disk others may take it. */
static int find_to_hand_out(seenset_queue *queue, uint64_t now_ns, found *next)
{
    for (;;) {
        int result = find_next(queue, now_ns, next);
        if (result != 1 || queue->frontier == NULL || queue->mark.is_durable ||
            queue->is_in_memory)
            return result;
        int error = ss_polite_mark(queue);
        if (error == SEENSET_OK)
            error = begin_to_find(queue, now_ns);
        if (error != SEENSET_OK)
            return error;
    }
}

/* Back to the record that was read, where a reader has come to it. */
static void step_back(const found *next)
{
    if (next->again == NULL && next->lane->reader.buffer != NULL)
        ss_log_reader_back(&next->lane->reader, next->at);
}

/* One item: 1, 0 (there is nothing now, or it does not fit) or an error. */
static int pop_locked(const hand_outs *call, seenset_queue_item *item)
{
    found next = {0};
    ss_leased_item *entry = NULL;
    int result = find_to_hand_out(call->queue, call->now_ns, &next);
    if (result != 1)
        return result;
    result = make_turn(call->queue, &next);
    if (result != SEENSET_OK)
        return result;
    result = take(call, &next, item, &entry);
    if (result == 1)
        hand_out(call, &next, item, entry);
    else
        step_back(&next);
    return result;
}

int seenset_queue_pop(seenset_queue *queue, seenset_queue_item *item)
{
    if (queue == NULL || item == NULL)
        return SEENSET_EINVAL;
    hand_outs call = {.queue = queue, .lease_ns = queue->items.lease_ns};
    pthread_mutex_lock(&queue->mutex);
    call.now_ns = ss_queue_now(queue);
    int result = begin_to_find(queue, call.now_ns);
    if (result == SEENSET_OK)
        result = pop_locked(&call, item);
    pthread_mutex_unlock(&queue->mutex);
    return result;
}

static bool are_options_valid(const seenset_queue_pop_options *options)
{
    return options->lease_seconds >= 0 && options->lease_seconds <= 1e9 &&
           SS_GROWTH_IS_UNUSED(options);
}

/* Pops up to `count` items, and gives others a turn now and then. *popped
 * becomes how many. Returns as pop_locked. */
static int pop_turns(hand_outs *call, seenset_queue_item *items, size_t count,
                     size_t *popped)
{
    int result = 1;
    for (size_t at = 0, end; result == 1 && at < count;) {
        end = count - at > POPS_AT_ONCE ? at + POPS_AT_ONCE : count;
        pthread_mutex_lock(&call->queue->mutex);
        call->now_ns = ss_queue_now(call->queue);
        result = begin_to_find(call->queue, call->now_ns);
        while (result >= 0 && at < end &&
               (result = pop_locked(call, &items[at])) == 1)
            *popped = ++at;
        pthread_mutex_unlock(&call->queue->mutex);
    }
    return result;
}

int64_t seenset_queue_pop_many(seenset_queue *queue, seenset_queue_item *items,
                               size_t item_count, void *memory,
                               size_t memory_bytes,
                               const seenset_queue_pop_options *options)
{
    static const seenset_queue_pop_options defaults = {0};
    ss_item_room to = {.next = memory, .bytes = memory_bytes};
    size_t popped = 0;
    if (options == NULL)
        options = &defaults;
    if (queue == NULL || (items == NULL && item_count > 0) || memory == NULL ||
        memory_bytes < SEENSET_QUEUE_POP_BYTES || !are_options_valid(options))
        return SEENSET_EINVAL;
    hand_outs call = {.queue = queue,
                      .lease_ns = (uint64_t)(options->lease_seconds * 1e9),
                      .to = &to};
    if (!(options->lease_seconds > 0))
        call.lease_ns = queue->items.lease_ns;
    int result = pop_turns(&call, items, item_count, &popped);
    return popped == 0 && result < 0 ? result : (int64_t)popped;
}

/* ---- without a new lease ---- */

static int peek_locked(seenset_queue *queue, seenset_queue_item *item)
{
    found next = {0};
    uint64_t now_ns = ss_queue_now(queue);
    int result = begin_to_find(queue, now_ns);
    if (result == SEENSET_OK)
        result = find_next(queue, now_ns, &next);
    if (result != 1)
        return result;
    step_back(&next);
    if (ss_item_fill(item, &queue->memory, &next.record) != SEENSET_OK)
        return SEENSET_ENOMEM;
    item->lease = 0;
    item->number = next.record.item;
    item->deliveries = next.again != NULL ? next.again->deliveries : 0;
    show_host(queue, item);
    return 1;
}

int seenset_queue_peek(seenset_queue *queue, seenset_queue_item *item)
{
    if (queue == NULL || item == NULL)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    int result = peek_locked(queue, item);
    pthread_mutex_unlock(&queue->mutex);
    return result;
}

static int get_leased_locked(seenset_queue *queue, uint64_t lease,
                             seenset_queue_item *item)
{
    ss_record record;
    int result = ss_queue_check(queue);
    if (result != SEENSET_OK)
        return result;
    const ss_leased_item *entry = ss_items_find(&queue->items, lease);
    if (entry == NULL)
        return SEENSET_ELEASE;
    result = read_again(queue, entry, &record);
    if (result != 1)
        return result;
    if (ss_item_fill(item, &queue->memory, &record) != SEENSET_OK)
        return SEENSET_ENOMEM;
    item->lease = lease;
    item->number = entry->item;
    item->deliveries = entry->deliveries;
    show_host(queue, item);
    return SEENSET_OK;
}

int seenset_queue_get_leased(seenset_queue *queue, uint64_t lease,
                             seenset_queue_item *item)
{
    if (queue == NULL || item == NULL)
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    int result = get_leased_locked(queue, lease, item);
    pthread_mutex_unlock(&queue->mutex);
    return result;
}
