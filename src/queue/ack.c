/*
 * ack.c - ending leases, giving items back, and extending leases.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue/handle.h"

#include "base/bits.h"

enum {
    CHUNK_LEASES = 256 /* of ack_many in one record */
};

/* ---- ack ---- */

/* Adds an item to the ranges of an ACK record, to the last one if it follows
 * it. */
static void put_item(uint8_t *payload, size_t *range_count, uint64_t item)
{
    if (*range_count > 0) {
        uint8_t *last = payload + (*range_count - 1) * SS_ACK_RANGE_BYTES;
        uint64_t length = ss_bits_load(last + 8, 4);
        if (ss_bits_load(last, 8) + length == item) {
            ss_bits_store(last + 8, 4, length + 1);
            return;
        }
    }
    ss_bits_store(payload + *range_count * SS_ACK_RANGE_BYTES, 8, item);
    ss_bits_store(payload + *range_count * SS_ACK_RANGE_BYTES + 8, 4, 1);
    *range_count += 1;
}

/* The record is appended: acks are on their way that end where it ends. */
static void set_ack_ends(ss_leases *leases, const uint64_t *ids, size_t count,
                         uint64_t end)
{
    for (size_t i = 0; i < count; i++) {
        ss_leased_item *entry = ss_leases_by_item(leases, ids[i] >> 8);
        if (entry != NULL && entry->ack_end == UINT64_MAX)
            entry->ack_end = end;
    }
}

/*
 * Appends one record for those leases that are known. *end becomes the
 * position that the answer has to wait for. Returns 0, SEENSET_ELEASE (some
 * are not known; the others were appended) or an error of ss_append_reserve.
 */
static int append_acks(seenset_queue *queue, const uint64_t *ids, size_t count,
                       uint64_t *end)
{
    ss_leases *leases = &queue->items.leases;
    size_t range_count = 0;
    int error = ss_append_reserve(queue, SS_RECORD_HEADER_BYTES +
                                             count * SS_ACK_RANGE_BYTES);
    if (error != SEENSET_OK)
        return error;
    uint8_t *payload = ss_log_end_payload(&queue->log);
    for (size_t i = 0; i < count; i++) {
        ss_leased_item *entry = ss_leases_find(leases, ids[i]);
        if (entry == NULL) {
            error = SEENSET_ELEASE;
            continue;
        }
        put_item(payload, &range_count, entry->item);
        ss_leases_begin_ack(leases, entry, UINT64_MAX);
    }
    if (range_count == 0)
        return error;
    ss_append_record(queue, SS_RECORD_ACK, range_count * SS_ACK_RANGE_BYTES);
    *end = queue->log.tail;
    set_ack_ends(leases, ids, count, queue->log.tail);
    return error;
}

/* Items of these leases whose ACK record ends at or before `end` are done. */
static void finish_acks(ss_items *items, const uint64_t *ids, size_t count,
                        uint64_t end)
{
    for (size_t i = 0; i < count; i++) {
        ss_leased_item *entry = ss_leases_by_item(&items->leases, ids[i] >> 8);
        if (entry != NULL && entry->state == SS_LEASE_ACKING &&
            entry->ack_end <= end && ss_leases_id(entry) == ids[i]) {
            ss_leases_remove(&items->leases, entry);
            items->unacked_items--;
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
        finish_acks(&queue->items, ids, lease_count, queue->log.tail);
        return result;
    }
    /* a failed write, of this call or another, may have removed the records */
    if (error == SEENSET_OK)
        error = ss_append_check(queue, rollbacks);
    if (error == SEENSET_OK)
        error = ss_append_wait(queue, end);
    finish_acks(&queue->items, ids, lease_count, queue->log.durable);
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

static int set_due(seenset_queue *queue, uint64_t lease, double seconds,
                   ss_lease_state state)
{
    if (queue == NULL || !(seconds >= 0 && seconds <= 1e9))
        return SEENSET_EINVAL;
    pthread_mutex_lock(&queue->mutex);
    ss_leases *leases = &queue->items.leases;
    ss_leased_item *entry = ss_leases_find(leases, lease);
    if (entry != NULL) {
        ss_leases_set(leases, entry, state,
                      ss_queue_now(queue) + (uint64_t)(seconds * 1e9));
        queue->snapshots.is_dirty = true;
    }
    pthread_mutex_unlock(&queue->mutex);
    return entry == NULL ? SEENSET_ELEASE : SEENSET_OK;
}

int seenset_queue_nack(seenset_queue *queue, uint64_t lease,
                       double delay_seconds)
{
    return set_due(queue, lease, delay_seconds, SS_LEASE_WAITING);
}

int seenset_queue_extend(seenset_queue *queue, uint64_t lease, double seconds)
{
    return set_due(queue, lease, seconds, SS_LEASE_HELD);
}
