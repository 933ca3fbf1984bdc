/*
 * push.c - drops URLs that were seen, appends the others.
 *
 * The order of steps makes a crash harmless. A URL's bits are set after its
 * record is appended, and under durability `each` after the record is on the
 * disk. No answer is given before what it relies on is durable. That is so for
 * "seen", too: a call that drops a URL because another thread just pushed it
 * waits until that push is durable.
 *
 * In a sliding window a URL that is seen may have to be remembered anew. That
 * changes the set, so it has a record, too, and its answer waits for it.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/polite.h"
#include "queue/push_parts.h"

#include <string.h>

#include "base/bits.h"
#include "base/growth.h"
#include "base/order.h"
#include "seenset/url.h"
#include "url/normalise.h"

/* ---- records, mutex held and room for them reserved ---- */

/* The URL goes into the set, and that is all. */
static void append_seen(seenset_queue *queue, const ss_pushed *url)
{
    uint8_t *payload = ss_log_end_payload(&queue->log);
    ss_bits_store(payload, SS_SEEN_PREFIX_BYTES, url->seconds);
    if (url->url_len > 0)
        memcpy(payload + SS_SEEN_PREFIX_BYTES, url->url, url->url_len);
    ss_append_record(queue, SS_RECORD_SEEN,
                     SS_SEEN_PREFIX_BYTES + url->url_len);
}

static void append_item(seenset_queue *queue, const seenset_queue_entry *entry,
                        const ss_pushed *url, unsigned lane, bool is_counted)
{
    ss_record_type type = ss_record_push_type(queue->seen.set.is_timed, lane);
    size_t prefix_bytes = ss_record_push_prefix_bytes(type);
    const ss_push push = {
        .url_len = entry->url_len, .seconds = url->seconds, .lane = lane};
    size_t payload_bytes = prefix_bytes + entry->url_len + entry->data_len;
    uint8_t *payload = ss_log_end_payload(&queue->log);
    const ss_span record = {queue->log.tail,
                            (uint32_t)(SS_RECORD_HEADER_BYTES + payload_bytes)};
    ss_items_pushed(&queue->items, lane, queue->log.next_item, record.at);
    if (queue->frontier != NULL)
        ss_frontier_push(queue->frontier, lane, queue->log.next_item, record,
                         !is_counted);
    ss_record_put_push_prefix(payload, type, &push);
    payload += prefix_bytes;
    if (entry->url_len > 0)
        memcpy(payload, entry->url, entry->url_len);
    if (entry->data_len > 0)
        memcpy(payload + entry->url_len, entry->data, entry->data_len);
    ss_append_record(queue, type, payload_bytes);
}

void ss_push_append(seenset_queue *queue, const seenset_queue_entry *entry,
                    const ss_pushed *url, const ss_push_way *way)
{
    if (way->is_seen_only)
        append_seen(queue, url);
    else
        append_item(queue, entry, url, ss_push_lane(entry, way),
                    way->is_counted);
    if (ss_seen_remember(&queue->seen, url))
        queue->seen.returned_end = queue->log.tail;
}

static void append_renewal(seenset_queue *queue, const ss_pushed *url)
{
    uint8_t *payload = ss_log_end_payload(&queue->log);
    ss_bits_store(payload, 8, url->seconds);
    ss_bits_store(payload + 8, 8, url->hash);
    ss_append_record(queue, SS_RECORD_RENEWAL, SS_RENEWAL_BYTES);
}

size_t ss_push_bytes(const seenset_queue *queue,
                     const seenset_queue_entry *entry, const ss_push_way *way)
{
    const ss_url_set *set = &queue->seen.set;
    ss_record_type type =
        ss_record_push_type(set->is_timed, ss_push_lane(entry, way));
    size_t bytes =
        ss_record_push_prefix_bytes(type) + entry->url_len + entry->data_len;
    if (way->is_seen_only)
        bytes = SS_SEEN_PREFIX_BYTES + entry->url_len;
    if (set->is_sliding && bytes < SS_RENEWAL_BYTES)
        bytes = SS_RENEWAL_BYTES;
    return SS_RECORD_HEADER_BYTES + bytes;
}

/* ---- one URL, likewise ---- */

/* Before it is appended: a polite queue needs room for its host, which may have
 * all that it gets. */
static int reserve_host(seenset_queue *queue, const seenset_queue_entry *entry,
                        const ss_push_way *way)
{
    if (queue->frontier == NULL || way->is_seen_only)
        return SEENSET_OK;
    return ss_polite_reserve(queue, entry->url, entry->url_len, way->is_moved);
}

/* Under `each`, a URL that the set does not have: it is in flight, or it is
 * appended. */
static int push_unset(seenset_queue *queue, const seenset_queue_entry *entry,
                      const ss_pushed *url, const ss_push_way *way,
                      uint64_t *end)
{
    if (ss_seen_is_in_flight(&queue->seen, url)) {
        *end = queue->log.tail;
        return SEENSET_ANSWER_SEEN;
    }
    if (ss_seen_is_full(&queue->seen)) {
        ss_seen_tell_capacity(&queue->seen);
        return SEENSET_EFULL;
    }
    int error = reserve_host(queue, entry, way);
    if (error != SEENSET_OK)
        return error;
    ss_push_append(queue, entry, url, way);
    ss_seen_join_group(&queue->seen, url);
    *end = queue->log.tail;
    return SEENSET_ANSWER_NEW;
}

/* Under `each`, a URL that the set has; in a sliding window it may have to be
 * remembered anew. */
static int push_set(seenset_queue *queue, const ss_pushed *url, uint64_t *end)
{
    if (!ss_url_set_renews(&queue->seen.set, url)) {
        if (queue->seen.returned_end > queue->log.durable)
            *end = ss_higher(*end, queue->seen.returned_end);
        return SEENSET_ANSWER_SEEN;
    }
    if (!ss_seen_is_in_flight(&queue->seen, url)) {
        append_renewal(queue, url);
        ss_seen_join_group(&queue->seen, url);
    }
    *end = queue->log.tail;
    return SEENSET_ANSWER_SEEN;
}

/* Under `each`, a URL that is appended although it may be known. A window
 * learns of it each time, as it does when it is made again from the log. */
static int push_each_again(seenset_queue *queue,
                           const seenset_queue_entry *entry,
                           const ss_pushed *url, const ss_push_way *way,
                           bool is_in_set, uint64_t *end)
{
    ss_seen *seen = &queue->seen;
    bool is_known = is_in_set || ss_seen_is_in_flight(seen, url);
    if (!is_known && ss_seen_is_full(seen)) {
        ss_seen_tell_capacity(seen);
        return SEENSET_EFULL;
    }
    int error = reserve_host(queue, entry, way);
    if (error != SEENSET_OK)
        return error;
    ss_push_append(queue, entry, url, way);
    if (!is_known || seen->set.is_window)
        ss_seen_join_group(seen, url);
    *end = queue->log.tail;
    return SEENSET_ANSWER_NEW;
}

int ss_push_each(seenset_queue *queue, const seenset_queue_entry *entry,
                 const ss_pushed *url, const ss_push_way *way, bool is_in_set,
                 uint64_t *end)
{
    if (way->is_again || ss_seen_is_forgotten(&queue->seen, url))
        return push_each_again(queue, entry, url, way, is_in_set, end);
    return is_in_set ? push_set(queue, url, end)
                     : push_unset(queue, entry, url, way, end);
}

void ss_push_count(seenset_queue *queue, int answer)
{
    bool is_dropped = answer == SEENSET_ANSWER_SEEN;
    bool is_refused = answer == SEENSET_EFULL;
    bool is_over = answer == SEENSET_EBUDGET;
    queue->counters.dropped_items += is_dropped;
    queue->counters.refused_items += is_refused;
    if (is_over)
        queue->frontier->over_budget++;
    queue->snapshots.has_counts |= is_dropped || is_refused || is_over;
}

static int push_each(seenset_queue *queue, const seenset_queue_entry *entry,
                     const ss_pushed *url, const ss_push_way *way,
                     uint64_t *end)
{
    int error = ss_seen_reserve(&queue->seen, &queue->memory, 1, url->url_len);
    if (error != SEENSET_OK)
        return error;
    return ss_push_each(queue, entry, url, way,
                        ss_url_set_has(&queue->seen.set, url), end);
}

/* Will it be appended? Then there must be room for its host before it is in
 * the set. */
static int reserve_unseen(seenset_queue *queue,
                          const seenset_queue_entry *entry,
                          const ss_pushed *url, const ss_push_way *way)
{
    if (queue->frontier == NULL ||
        (!way->is_again && ss_url_set_has(&queue->seen.set, url) &&
         !ss_seen_is_forgotten(&queue->seen, url)))
        return SEENSET_OK;
    return reserve_host(queue, entry, way);
}

int ss_push_at_once(seenset_queue *queue, const seenset_queue_entry *entry,
                    const ss_pushed *url, const ss_push_way *way)
{
    int error = reserve_unseen(queue, entry, url, way);
    if (error != SEENSET_OK)
        return error;
    bool is_renewed = ss_url_set_renews(&queue->seen.set, url);
    int answer = ss_url_set_add(&queue->seen.set, url);
    queue->seen.added_items += answer == SEENSET_ANSWER_NEW;
    if (answer == SEENSET_ANSWER_SEEN &&
        (way->is_again || ss_seen_is_forgotten(&queue->seen, url)))
        answer = SEENSET_ANSWER_NEW;
    if (answer == SEENSET_ANSWER_NEW) {
        ss_push_append(queue, entry, url, way);
    } else if (answer == SEENSET_ANSWER_SEEN && is_renewed) {
        append_renewal(queue, url);
    }
    return answer;
}

static int push_locked(seenset_queue *queue, const seenset_queue_entry *entry,
                       ss_pushed *url, const ss_push_way *way, uint64_t *end)
{
    int error = ss_append_reserve(queue, ss_push_bytes(queue, entry, way));
    if (error != SEENSET_OK)
        return error;
    url->seconds = ss_url_set_now(&queue->seen.set);
    int answer = ss_queue_is_each(queue)
                     ? push_each(queue, entry, url, way, end)
                     : ss_push_at_once(queue, entry, url, way);
    ss_push_count(queue, answer);
    return answer;
}

/* Pushes a URL in the form in which it is stored. */
static int push_stored(seenset_queue *queue, const seenset_queue_entry *entry,
                       const ss_push_way *way)
{
    ss_pushed url =
        ss_url_set_pushed(&queue->seen.set, entry->url, entry->url_len);
    uint64_t end = 0;
    pthread_mutex_lock(&queue->mutex);
    int answer = push_locked(queue, entry, &url, way, &end);
    if (answer >= 0) {
        int error = ss_append_wait(queue, end);
        if (error != SEENSET_OK)
            answer = error;
    }
    ss_checkpoint_if_due(queue);
    pthread_mutex_unlock(&queue->mutex);
    return answer;
}

/* ---- normalising ---- */

bool ss_push_is_valid(const seenset_queue_entry *entry)
{
    return (entry->url != NULL || entry->url_len == 0) &&
           (entry->data != NULL || entry->data_len == 0) &&
           entry->url_len <= SEENSET_QUEUE_MAX_ITEM_BYTES &&
           entry->data_len <= SEENSET_QUEUE_MAX_ITEM_BYTES - entry->url_len &&
           entry->priority < SS_LANES && entry->reserved32 == 0 &&
           SS_GROWTH_IS_UNUSED(entry);
}

size_t ss_push_room_for(const seenset_queue_entry *entry)
{
    return entry->url_len > SEENSET_URL_MAX_BYTES
               ? 0
               : SS_URL_ROOM_BYTES(entry->url_len);
}

int ss_push_normalise(seenset_queue_entry *entry, char *room, size_t room_bytes)
{
    if (room_bytes == 0)
        return SEENSET_EURL;
    int error = seenset_url_normalise(entry->url, entry->url_len, room,
                                      &room_bytes, NULL);
    if (error != SEENSET_OK)
        return error;
    entry->url = room;
    entry->url_len = room_bytes;
    return ss_push_is_valid(entry) ? SEENSET_OK : SEENSET_EINVAL;
}

void ss_push_count_not_url(seenset_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->counters.not_url_items++;
    queue->snapshots.has_counts = true;
    pthread_mutex_unlock(&queue->mutex);
}

static int push_url(seenset_queue *queue, seenset_queue_entry entry,
                    const ss_push_way *way)
{
    size_t room_bytes = ss_push_room_for(&entry);
    char *room = ss_memory_alloc(&queue->memory, room_bytes + 1, 1);
    if (room == NULL)
        return SEENSET_ENOMEM;
    int answer = ss_push_normalise(&entry, room, room_bytes);
    if (answer == SEENSET_EURL)
        ss_push_count_not_url(queue);
    if (answer == SEENSET_OK)
        answer = push_stored(queue, &entry, way);
    ss_memory_free(&queue->memory, room, room_bytes + 1, 1);
    return answer;
}

static int push(seenset_queue *queue, const seenset_queue_entry *entry,
                const ss_push_way *way)
{
    if (queue == NULL || !ss_push_is_valid(entry))
        return SEENSET_EINVAL;
    if (queue->manifest.normalise == SEENSET_QUEUE_NORMALISE_URL)
        return push_url(queue, *entry, way);
    return push_stored(queue, entry, way);
}

int seenset_queue_push(seenset_queue *queue, const void *url, size_t url_len,
                       const void *data, size_t data_len)
{
    const seenset_queue_entry entry = {
        .url = url, .url_len = url_len, .data = data, .data_len = data_len};
    return push(queue, &entry, &(const ss_push_way){0});
}

int seenset_queue_push_again(seenset_queue *queue, const void *url,
                             size_t url_len, const void *data, size_t data_len)
{
    const seenset_queue_entry entry = {
        .url = url, .url_len = url_len, .data = data, .data_len = data_len};
    return push(queue, &entry, &(const ss_push_way){.is_again = true});
}
