/*
 * forget.c - URLs that are new again.
 *
 * What the set has stays in it. A FORGET record and a hash beside the set
 * (seen/forgotten.h) say that the next push of the URL is new; that push is the
 * record which ends it.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include <string.h>

#include "queue/push_parts.h"

static void append_forget(seenset_queue *queue, const ss_pushed *url)
{
    uint8_t *payload = ss_log_end_payload(&queue->log);
    if (url->url_len > 0)
        memcpy(payload, url->url, url->url_len);
    ss_append_record(queue, SS_RECORD_FORGET, url->url_len);
}

/* With room in the log reserved, which may have taken a while. */
static int forget_reserved(seenset_queue *queue, const ss_pushed *url)
{
    ss_seen *seen = &queue->seen;
    bool is_seen =
        ss_url_set_has(&seen->set, url) || ss_seen_is_in_flight(seen, url);
    if (!is_seen || ss_seen_is_forgotten(seen, url))
        return 0;
    if (!ss_forgotten_reserve(&seen->forgotten, &queue->memory, 1))
        return SEENSET_ENOMEM;
    append_forget(queue, url);
    ss_seen_forget(seen, url);
    return 1;
}

static int forget_locked(seenset_queue *queue, const ss_pushed *url)
{
    int error = ss_queue_check(queue);
    if (error == SEENSET_OK)
        error = ss_create_extension(queue);
    if (error == SEENSET_OK)
        error = ss_append_reserve(queue, SS_RECORD_HEADER_BYTES + url->url_len);
    if (error == SEENSET_OK && ss_queue_is_each(queue))
        error = ss_seen_reserve(&queue->seen, &queue->memory, 0, 0);
    return error == SEENSET_OK ? forget_reserved(queue, url) : error;
}

static int forget_stored(seenset_queue *queue, const seenset_queue_entry *entry)
{
    const ss_pushed url =
        ss_url_set_pushed(&queue->seen.set, entry->url, entry->url_len);
    pthread_mutex_lock(&queue->mutex);
    int answer = forget_locked(queue, &url);
    if (answer >= 0 && ss_queue_is_each(queue)) {
        int error = ss_append_wait(queue, queue->log.tail);
        if (error != SEENSET_OK)
            answer = error;
    }
    ss_checkpoint_if_due(queue);
    pthread_mutex_unlock(&queue->mutex);
    return answer;
}

static int forget_url(seenset_queue *queue, seenset_queue_entry entry)
{
    size_t room_bytes = ss_push_room_for(&entry);
    char *room = ss_memory_alloc(&queue->memory, room_bytes + 1, 1);
    if (room == NULL)
        return SEENSET_ENOMEM;
    int answer = ss_push_normalise(&entry, room, room_bytes);
    if (answer == SEENSET_OK)
        answer = forget_stored(queue, &entry);
    ss_memory_free(&queue->memory, room, room_bytes + 1, 1);
    return answer;
}

int seenset_queue_forget(seenset_queue *queue, const void *url, size_t url_len)
{
    const seenset_queue_entry entry = {.url = url, .url_len = url_len};
    if (queue == NULL || !ss_push_is_valid(&entry))
        return SEENSET_EINVAL;
    if (queue->manifest.normalise == SEENSET_QUEUE_NORMALISE_URL)
        return forget_url(queue, entry);
    return forget_stored(queue, &entry);
}
