/*
 * ack.c - ending leases, giving items back, and extending leases.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/delayed/delayed.h"
#include "queue/delayed/settle.h"
#include "queue/polite.h"

#include "base/bits.h"
#include "base/growth.h"

enum {
    CHUNK_LEASES = 256 /* of ack_many in one record */
};

/* ---- ack ---- */

/* An ACK record that is being made: its payload. */
typedef struct ack_record {
    ss_record_type type;
    uint8_t *payload;
    size_t payload_bytes;
} ack_record;

/* Does the item follow the last range, in the same lane? */
static bool does_follow(const ack_record *to, const ss_leased_item *item)
{
    const ss_record record = {.type = to->type, .payload = to->payload};
    if (to->payload_bytes == 0)
        return false;
    ss_acked last = ss_acked_at(&record, to->payload_bytes -
                                             ss_record_range_bytes(to->type));
    return last.first + last.count == item->item && last.lane == item->lane;
}

/* Adds an item to the ranges, to the last one if it follows it. */
static void put_item(ack_record *to, const ss_leased_item *item)
{
    size_t range_bytes = ss_record_range_bytes(to->type);
    uint8_t *end = to->payload + to->payload_bytes;
    if (does_follow(to, item)) {
        uint8_t *length = end - range_bytes + 8;
        ss_bits_store(length, 4, ss_bits_load(length, 4) + 1);
        return;
    }
    ss_bits_store(end, 8, item->item);
    ss_bits_store(end + 8, 4, 1);
    if (to->type == SS_RECORD_LANED_ACK)
        ss_bits_store(end + 12, 4, item->lane);
    to->payload_bytes += range_bytes;
}

/* Items without a priority are acked as in a queue that has none. */
static ss_record_type type_of(const ss_items *items, const uint64_t *ids,
                              size_t count)
{
    for (size_t i = 0; i < count && items->has_lanes; i++) {
        const ss_leased_item *item = ss_items_find(items, ids[i]);
        if (item != NULL && item->lane > 0)
            return SS_RECORD_LANED_ACK;
    }
    return SS_RECORD_ACK;
}

/* The record is appended: acks are on their way that end where it ends. */
static void set_ack_ends(const ss_items *items, const uint64_t *ids,
                         size_t count, uint64_t end)
{
    for (size_t i = 0; i < count; i++) {
        ss_leased_item *entry = ss_items_of(items, ids[i]);
        if (entry != NULL && entry->ack_end == UINT64_MAX)
            entry->ack_end = end;
    }
}

/* Room for so many ranges. Another call may bring the first priorities while
 * this one waits. */
static int reserve(seenset_queue *queue, size_t count)
{
    bool has_lanes;
    int error;
    do {
        has_lanes = queue->items.has_lanes;
        size_t range_bytes =
            has_lanes ? SS_LANED_RANGE_BYTES : SS_ACK_RANGE_BYTES;
        error = ss_append_reserve(queue,
                                  SS_RECORD_HEADER_BYTES + count * range_bytes);
    } while (error == SEENSET_OK && queue->items.has_lanes != has_lanes);
    return error;
}

/*
 * Appends one record for those leases that are known. *end becomes the
 * position that the answer has to wait for. Returns 0, SEENSET_ELEASE (some
 * are not known; the others were appended) or an error of ss_append_reserve.
 */
static int append_acks(seenset_queue *queue, const uint64_t *ids, size_t count,
                       uint64_t *end)
{
    ss_items *items = &queue->items;
    int error = reserve(queue, count);
    if (error != SEENSET_OK)
        return error;
    uint64_t now_ns = queue->frontier != NULL ? ss_queue_now(queue) : 0;
    ack_record to = {.type = type_of(items, ids, count),
                     .payload = ss_log_end_payload(&queue->log)};
    for (size_t i = 0; i < count; i++) {
        ss_leased_item *entry = ss_items_find(items, ids[i]);
        if (entry == NULL) {
            error = SEENSET_ELEASE;
            continue;
        }
        put_item(&to, entry);
        if (queue->frontier != NULL)
            ss_polite_recall(queue, entry, now_ns);
        ss_leases_begin_ack(&ss_items_lane_of(items, entry)->leases, entry,
                            UINT64_MAX);
    }
    if (to.payload_bytes == 0)
        return error;
    ss_append_record(queue, to.type, to.payload_bytes);
    *end = queue->log.tail;
    set_ack_ends(items, ids, count, queue->log.tail);
    return error;
}

/* Items of these leases whose ACK record ends at or before `end` are done. */
static void finish_acks(seenset_queue *queue, const uint64_t *ids, size_t count,
                        uint64_t end)
{
    ss_items *items = &queue->items;
    uint64_t now_ns = queue->frontier != NULL ? ss_queue_now(queue) : 0;
    for (size_t i = 0; i < count; i++) {
        ss_leased_item *entry = ss_items_of(items, ids[i]);
        if (entry != NULL && entry->state == SS_LEASE_ACKING &&
            entry->ack_end <= end && ss_leases_id(entry) == ids[i]) {
            ss_lane *lane = ss_items_lane_of(items, entry);
            if (queue->frontier != NULL)
                ss_polite_ack(queue, entry, now_ns);
            ss_leases_remove(&lane->leases, entry);
            lane->unacked_items--;
        }
    }
}

static bool may_continue(int error)
{
    return error == SEENSET_OK || error == SEENSET_ELEASE;
}

/* Appends records for all leases. Returns the last error that stopped it, or
 * 0; *result becomes the last error of any kind. */
static int append_all_acks(seenset_queue *queue, const uint64_t *ids,
                           size_t lease_count, uint64_t *end, int *result)
{
    int error = SEENSET_OK;
    for (size_t at = 0; at < lease_count && may_continue(error);
         at += CHUNK_LEASES) {
        size_t count = lease_count - at;
        if (count > CHUNK_LEASES)
            count = CHUNK_LEASES;
        error = append_acks(queue, ids + at, count, end);
        if (error != SEENSET_OK)
            *result = error;
    }
    return may_continue(error) ? SEENSET_OK : error;
}

static int ack_locked(seenset_queue *queue, const uint64_t *ids,
                      size_t lease_count)
{
    uint64_t end = 0, rollbacks = queue->durability.rollbacks;
    int result = SEENSET_OK;
    int error = append_all_acks(queue, ids, lease_count, &end, &result);
    if (!ss_queue_is_each(queue)) {
        finish_acks(queue, ids, lease_count, queue->log.tail);
        return result;
    }
    /* a failed write, of this call or another, may have removed the records */
    if (error == SEENSET_OK)
        error = ss_append_check(queue, rollbacks);
    if (error == SEENSET_OK)
        error = ss_append_wait(queue, end);
    finish_acks(queue, ids, lease_count, queue->log.durable);
    return error == SEENSET_OK ? result : error;
}

int seenset_queue_ack_many(seenset_queue *queue, const uint64_t *leases,
                           size_t lease_count)
{
    if (queue == NULL || (leases == NULL && lease_count > 0))
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    int error = ss_queue_check(queue);
    if (error == SEENSET_OK)
        error = ack_locked(queue, leases, lease_count);
    ss_checkpoint_if_due(queue);
    pthread_mutex_unlock(&queue->mutex);
    return error;
}

int seenset_queue_ack(seenset_queue *queue, uint64_t lease)
{
    return seenset_queue_ack_many(queue, &lease, 1);
}

/* ---- nack, extend ---- */

static bool is_time(double seconds)
{
    return seconds >= 0 && seconds <= 1e9;
}

/* What its host in a polite queue makes of it. False: it may not go on. */
static bool tell_host(seenset_queue *queue, ss_leased_item *entry,
                      ss_lease_state state, bool is_tried, uint64_t now_ns)
{
    if (queue->frontier == NULL)
        return true;
    if (state == SS_LEASE_HELD)
        return ss_polite_extend(queue, entry, now_ns);
    ss_polite_recall(queue, entry, now_ns);
    ss_polite_end(queue, entry, now_ns, is_tried);
    return true;
}

/* Changes a lease. Returns its item, or NULL if there is no such lease. */
static ss_leased_item *set_due(seenset_queue *queue, uint64_t lease,
                               double seconds, ss_lease_state state,
                               bool is_tried)
{
    uint64_t now_ns = ss_queue_now(queue);
    if (queue->frontier != NULL)
        (void)ss_settle_due(queue, now_ns); /* what has ended by itself */
    ss_leased_item *entry = ss_items_find(&queue->items, lease);
    if (entry == NULL || !tell_host(queue, entry, state, is_tried, now_ns))
        return NULL;
    ss_items_set(&queue->items, entry, state,
                 now_ns + (uint64_t)(seconds * 1e9));
    queue->snapshots.is_dirty = true;
    return entry;
}

/* The manifest first: a state with such an item is of a later version. */
static int nack_untried(seenset_queue *queue, uint64_t lease,
                        double delay_seconds)
{
    int error = ss_queue_check(queue);
    if (error == SEENSET_OK && ss_items_find(&queue->items, lease) == NULL)
        error = SEENSET_ELEASE;
    if (error == SEENSET_OK)
        error = ss_create_untried(queue);
    if (error != SEENSET_OK)
        return error;
    ss_leased_item *entry =
        set_due(queue, lease, delay_seconds, SS_LEASE_WAITING, false);
    entry->deliveries -= entry->deliveries > 0;
    return SEENSET_OK;
}

/* In a polite queue the log must know first that a host was asked: the end of
 * this fetch has no record, and its delay holds after a crash, too. */
static int nack_tried(seenset_queue *queue, uint64_t lease,
                      double delay_seconds)
{
    int error = SEENSET_OK;
    if (queue->frontier != NULL && ss_items_find(&queue->items, lease) != NULL)
        error = ss_polite_mark(queue);
    if (error != SEENSET_OK)
        return error;
    return set_due(queue, lease, delay_seconds, SS_LEASE_WAITING, true) == NULL
               ? SEENSET_ELEASE
               : SEENSET_OK;
}

/* Its deliveries count from 0 again, which older states have no room for. */
static int nack_visited(seenset_queue *queue, uint64_t lease,
                        double delay_seconds)
{
    int error = ss_queue_check(queue);
    ss_leased_item *entry = ss_items_find(&queue->items, lease);
    if (error == SEENSET_OK && entry == NULL)
        error = SEENSET_ELEASE;
    if (error == SEENSET_OK)
        error = ss_create_untried(queue);
    if (error == SEENSET_OK)
        error = nack_tried(queue, lease, delay_seconds);
    if (error != SEENSET_OK)
        return error;
    entry = ss_items_of(&queue->items, lease);
    entry->deliveries = 0;
    return SEENSET_OK;
}

static int nack_locked(seenset_queue *queue, uint64_t lease,
                       const seenset_queue_nack_options *how)
{
    switch (how->flags) {
    case SEENSET_QUEUE_UNTRIED:
        return nack_untried(queue, lease, how->delay_seconds);
    case SEENSET_QUEUE_VISITED:
        return nack_visited(queue, lease, how->delay_seconds);
    default:
        return nack_tried(queue, lease, how->delay_seconds);
    }
}

static bool is_how(uint32_t flags)
{
    return flags == 0 || flags == SEENSET_QUEUE_UNTRIED ||
           flags == SEENSET_QUEUE_VISITED;
}

int seenset_queue_nack(seenset_queue *queue, uint64_t lease,
                       const seenset_queue_nack_options *options)
{
    static const seenset_queue_nack_options defaults = {0};
    int error;
    if (options == NULL)
        options = &defaults;
    if (queue == NULL || !is_time(options->delay_seconds) ||
        !is_how(options->flags) || options->reserved32 != 0 ||
        !SS_GROWTH_IS_UNUSED(options))
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    error = nack_locked(queue, lease, options);
    if (error == SEENSET_OK) /* what cannot be written stays in memory */
        (void)ss_delayed_spill(queue);
    pthread_mutex_unlock(&queue->mutex);
    return error;
}

int seenset_queue_extend(seenset_queue *queue, uint64_t lease, double seconds)
{
    if (queue == NULL || !is_time(seconds))
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    bool is_leased =
        set_due(queue, lease, seconds, SS_LEASE_HELD, true) != NULL;
    pthread_mutex_unlock(&queue->mutex);
    return is_leased ? SEENSET_OK : SEENSET_ELEASE;
}
