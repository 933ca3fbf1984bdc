/*
 * queue_push.c - dropping what was seen, appending the rest.
 *
 * The order that makes a crash harmless: a URL's bits are set after its
 * record is appended, and under durability `each` after the record is on the
 * disk; no answer is given before what it rests on is as durable as was asked
 * for. That holds for "seen" too: whoever drops a URL because another thread
 * just pushed it waits for that push to be safe.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue/handle.h"

#include <string.h>

#include "base/bits.h"
#include "hash/xxh3.h"
#include "url/normalise.h"

/* ---- one URL, mutex held and its record's room reserved ---- */

static void append_push(seenset_queue *queue, const seenset_queue_entry *push)
{
    uint8_t *payload = ss_append_payload(queue);
    ss_bits_store(payload, SS_PUSH_PREFIX_BYTES, push->url_len);
    payload += SS_PUSH_PREFIX_BYTES;
    if (push->url_len > 0)
        memcpy(payload, push->url, push->url_len);
    if (push->data_len > 0)
        memcpy(payload + push->url_len, push->data, push->data_len);
    ss_append_append(queue, SS_RECORD_PUSH,
                     SS_PUSH_PREFIX_BYTES + push->url_len + push->data_len);
    queue->unacked_items++;
}

static size_t record_bytes(const seenset_queue_entry *push)
{
    return SS_RECORD_HEADER_BYTES + SS_PUSH_PREFIX_BYTES + push->url_len +
           push->data_len;
}

static bool is_full(const seenset_queue *queue)
{
    return queue->set_refuses && queue->set_added + queue->inflight[0].count +
                                         queue->inflight[1].count >=
                                     queue->set_capacity;
}

/*
 * Under `each`, a URL that the set does not have: in flight, or appended. In
 * *end, what its answer has to wait for.
 */
static int push_in_flight(seenset_queue *queue, const seenset_queue_entry *push,
                          uint64_t hash, uint64_t *end)
{
    ss_in_flight *group = &queue->inflight[queue->filling];
    if (ss_in_flight_has(&queue->inflight[1 - queue->filling], hash) ||
        ss_in_flight_has(group, hash)) {
        *end = queue->tail;
        return 0;
    }
    if (is_full(queue))
        return SEENSET_EFULL;
    append_push(queue, push);
    ss_in_flight_add(group, hash);
    *end = queue->tail;
    return 1;
}

/* Under `each`: for this many URLs more, so that adding them cannot fail. */
static int make_room(seenset_queue *queue, size_t more)
{
    int error = ss_append_settle(queue);
    if (error == SEENSET_OK &&
        !ss_in_flight_reserve(&queue->inflight[queue->filling], &queue->memory,
                              more))
        error = SEENSET_ENOMEM;
    return error;
}

static void count_answer(seenset_queue *queue, int answer)
{
    queue->dropped_items += answer == 0;
    queue->refused_items += answer == SEENSET_EFULL;
}

static int push_locked(seenset_queue *queue, const seenset_queue_entry *push,
                       uint64_t hash, uint64_t *end)
{
    int error = ss_append_reserve(queue, record_bytes(push));
    if (error != SEENSET_OK)
        return error;
    if (queue->durability != SEENSET_QUEUE_DURABILITY_EACH) {
        int answer = seenset_add_hash(queue->set, hash);
        if (answer == 1) {
            append_push(queue, push);
            queue->set_added++;
        }
        return answer;
    }
    error = make_room(queue, 1); /* first: the set may learn of this URL */
    if (error != SEENSET_OK)
        return error;
    if (seenset_has_hash(queue->set, hash))
        return 0;
    return push_in_flight(queue, push, hash, end);
}

static int push_stored_form(seenset_queue *queue,
                            const seenset_queue_entry *push)
{
    uint64_t hash = ss_hash_key(push->url, push->url_len), end = 0;
    pthread_mutex_lock(&queue->mutex);
    int answer = push_locked(queue, push, hash, &end);
    count_answer(queue, answer);
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

static bool is_valid(const seenset_queue_entry *push)
{
    return (push->url != NULL || push->url_len == 0) &&
           (push->data != NULL || push->data_len == 0) &&
           push->url_len <= SEENSET_QUEUE_MAX_ITEM_BYTES &&
           push->data_len <= SEENSET_QUEUE_MAX_ITEM_BYTES - push->url_len;
}

/* Replaces the URL by its normal form, which is put at `room`. */
static int normalise(seenset_queue_entry *push, char *room, size_t *room_bytes)
{
    int error =
        ss_url_normalise(push->url, push->url_len, room, room_bytes, NULL);
    if (error != SEENSET_OK)
        return error;
    push->url = room;
    push->url_len = *room_bytes;
    return is_valid(push) ? SEENSET_OK : SEENSET_EINVAL;
}

static void count_not_url(seenset_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->not_url_items++;
    queue->is_dirty = true;
    pthread_mutex_unlock(&queue->mutex);
}

static int push_url(seenset_queue *queue, seenset_queue_entry push)
{
    size_t room_bytes = SS_URL_ROOM_BYTES(push.url_len);
    size_t used_bytes = room_bytes;
    if (push.url_len > SS_URL_MAX_BYTES) {
        count_not_url(queue);
        return SEENSET_EURL;
    }
    char *room = ss_memory_alloc(&queue->memory, room_bytes, 1);
    if (room == NULL)
        return SEENSET_ENOMEM;
    int answer = normalise(&push, room, &used_bytes);
    if (answer == SEENSET_EURL)
        count_not_url(queue);
    if (answer == SEENSET_OK)
        answer = push_stored_form(queue, &push);
    ss_memory_free(&queue->memory, room, room_bytes, 1);
    return answer;
}

int seenset_queue_push(seenset_queue *queue, const void *url, size_t url_len,
                       const void *data, size_t data_len)
{
    seenset_queue_entry push = {url, url_len, data, data_len};
    if (queue == NULL || !is_valid(&push))
        return SEENSET_EINVAL;
    if (queue->manifest.normalise == SEENSET_QUEUE_NORMALISE_URL)
        return push_url(queue, push);
    return push_stored_form(queue, &push);
}

/* ---- many ---- */

/* A stretch of push_many that is handled under one hold of the mutex. */
typedef struct chunk {
    size_t count;
    size_t bytes; /* of the records, if all are new */
    uint64_t hashes[SS_CHUNK_PUSHES];
    uint8_t answers[SS_CHUNK_PUSHES];
} chunk;

static int push_chunk_each(seenset_queue *queue,
                           const seenset_queue_entry *pushes, chunk *some,
                           uint64_t *end)
{
    int error = make_room(queue, some->count);
    if (error != SEENSET_OK)
        return error;
    (void)seenset_has_hash_many(queue->set, some->hashes, some->count,
                                some->answers);
    for (size_t i = 0; i < some->count; i++) {
        int answer = 0;
        if (some->answers[i] == 0)
            answer = push_in_flight(queue, &pushes[i], some->hashes[i], end);
        count_answer(queue, answer);
        some->answers[i] =
            answer < 0 ? SEENSET_ANSWER_REFUSED : (uint8_t)answer;
    }
    return SEENSET_OK;
}

/* Whatever the set took in is appended, even if it could not take in all. */
static int push_chunk_later(seenset_queue *queue,
                            const seenset_queue_entry *pushes, chunk *some)
{
    memset(some->answers, SEENSET_ANSWER_REFUSED, some->count);
    int error = seenset_add_hash_many(queue->set, some->hashes, some->count,
                                      some->answers);
    if (error == SEENSET_EFULL)
        error = SEENSET_OK;
    for (size_t i = 0; i < some->count; i++) {
        if (some->answers[i] == 1) {
            append_push(queue, &pushes[i]);
            queue->set_added++;
        }
        if (error == SEENSET_OK)
            count_answer(queue, some->answers[i] == SEENSET_ANSWER_REFUSED
                                    ? SEENSET_EFULL
                                    : some->answers[i]);
    }
    return error;
}

/* How many of the pushes go into one chunk; one at least. */
static void gather(const seenset_queue *queue,
                   const seenset_queue_entry *pushes, size_t push_count,
                   chunk *some)
{
    uint64_t most_bytes = queue->manifest.segment_bytes / 4;
    if (most_bytes > SS_BLOCK_BYTES)
        most_bytes = SS_BLOCK_BYTES;
    some->count = some->bytes = 0;
    while (some->count < SS_CHUNK_PUSHES && some->count < push_count) {
        const seenset_queue_entry *push = &pushes[some->count];
        size_t bytes = record_bytes(push);
        if (some->count > 0 && some->bytes + bytes > most_bytes)
            break;
        some->hashes[some->count] = ss_hash_key(push->url, push->url_len);
        some->bytes += bytes;
        some->count++;
    }
}

static int push_chunk(seenset_queue *queue, const seenset_queue_entry *pushes,
                      chunk *some, uint64_t *end)
{
    pthread_mutex_lock(&queue->mutex);
    int error = ss_append_reserve(queue, some->bytes);
    if (error == SEENSET_OK)
        error = queue->durability == SEENSET_QUEUE_DURABILITY_EACH
                    ? push_chunk_each(queue, pushes, some, end)
                    : push_chunk_later(queue, pushes, some);
    pthread_mutex_unlock(&queue->mutex);
    return error;
}

static bool has_refused(const uint8_t *answers, size_t count)
{
    return memchr(answers, SEENSET_ANSWER_REFUSED, count) != NULL;
}

/* A call of push_many on its way. */
typedef struct ride {
    seenset_queue *queue;
    uint64_t end;        /* what its answers have to wait for */
    uint64_t take_backs; /* of the queue, when it began */
    bool is_refused, has_no_url;
} ride;

/* Pushes URLs that are in the form to be stored, and waits for nothing. */
static int push_some(ride *on, const seenset_queue_entry *pushes,
                     size_t push_count, uint8_t *is_new)
{
    chunk some;
    for (size_t at = 0; at < push_count; at += some.count) {
        gather(on->queue, pushes + at, push_count - at, &some);
        int error = push_chunk(on->queue, pushes + at, &some, &on->end);
        if (error != SEENSET_OK)
            return error;
        if (is_new != NULL)
            memcpy(is_new + at, some.answers, some.count);
        on->is_refused |= has_refused(some.answers, some.count);
    }
    return SEENSET_OK;
}

static void depart(ride *on, seenset_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    *on = (ride){.queue = queue, .take_backs = queue->take_backs};
    pthread_mutex_unlock(&queue->mutex);
}

/* Waits for all of it, once. */
static int arrive(ride *on, int error)
{
    seenset_queue *queue = on->queue;
    pthread_mutex_lock(&queue->mutex);
    if (error == SEENSET_OK)
        error = ss_append_kept(queue, on->take_backs);
    if (error == SEENSET_OK)
        error = ss_append_wait(queue, on->end);
    ss_checkpoint_if_due(queue);
    pthread_mutex_unlock(&queue->mutex);
    if (error != SEENSET_OK)
        return error;
    if (on->is_refused)
        return SEENSET_EFULL;
    return on->has_no_url ? SEENSET_EURL : SEENSET_OK;
}

/* ---- many, normalised ---- */

/* Up to SS_CHUNK_PUSHES URLs in normal form, and where each came from. */
typedef struct normal {
    size_t count;
    seenset_queue_entry pushes[SS_CHUNK_PUSHES];
    size_t origin[SS_CHUNK_PUSHES];
    uint8_t answers[SS_CHUNK_PUSHES];
    size_t room_bytes;
} normal;

static size_t room_for(const seenset_queue_entry *push)
{
    return push->url_len > SS_URL_MAX_BYTES ? 0
                                            : SS_URL_ROOM_BYTES(push->url_len);
}

/* Normalises into `room`; what is no URL is answered here and left out. */
static int normalise_many(seenset_queue *queue, normal *some, char *room,
                          const seenset_queue_entry *pushes, size_t push_count)
{
    some->count = 0;
    memset(some->answers, SEENSET_ANSWER_NOT_A_URL, sizeof some->answers);
    for (size_t i = 0; i < push_count; i++) {
        seenset_queue_entry push = pushes[i];
        size_t used = room_for(&push);
        int error = SEENSET_EURL;
        if (used > 0)
            error = normalise(&push, room, &used);
        if (error == SEENSET_EURL) {
            count_not_url(queue);
            continue;
        }
        if (error != SEENSET_OK)
            return error;
        room += used;
        some->origin[some->count] = i;
        some->pushes[some->count++] = push;
    }
    return SEENSET_OK;
}

/* One group of pushes, whose normal forms need room_bytes at most. */
static int push_group(ride *on, const seenset_queue_entry *pushes,
                      size_t push_count, uint8_t *is_new, size_t room_bytes)
{
    seenset_queue *queue = on->queue;
    normal *some = ss_memory_alloc(&queue->memory, 1, sizeof *some);
    char *room = ss_memory_alloc(&queue->memory, room_bytes + 1, 1);
    int error = some == NULL || room == NULL ? SEENSET_ENOMEM : SEENSET_OK;
    if (error == SEENSET_OK)
        error = normalise_many(queue, some, room, pushes, push_count);
    if (error == SEENSET_OK) {
        error = push_some(on, some->pushes, some->count, some->answers);
        if (is_new != NULL)
            memset(is_new, SEENSET_ANSWER_NOT_A_URL, push_count);
        for (size_t i = 0; is_new != NULL && i < some->count; i++)
            is_new[some->origin[i]] = some->answers[i];
        on->has_no_url |= some->count < push_count;
    }
    ss_memory_free(&queue->memory, room, room_bytes + 1, 1);
    ss_memory_free(&queue->memory, some, 1, sizeof *some);
    return error;
}

static int push_urls(ride *on, const seenset_queue_entry *pushes,
                     size_t push_count, uint8_t *is_new)
{
    int error = SEENSET_OK;
    for (size_t at = 0, count; at < push_count && error == SEENSET_OK;
         at += count) {
        size_t room_bytes = 0;
        for (count = 0; count < SS_CHUNK_PUSHES && at + count < push_count &&
                        room_bytes <= SEENSET_QUEUE_MAX_ITEM_BYTES;
             count++)
            room_bytes += room_for(&pushes[at + count]);
        error = push_group(on, pushes + at, count,
                           is_new == NULL ? NULL : is_new + at, room_bytes);
    }
    return error;
}

int seenset_queue_push_many(seenset_queue *queue,
                            const seenset_queue_entry *pushes,
                            size_t push_count, uint8_t *is_new)
{
    if (queue == NULL || (pushes == NULL && push_count > 0))
        return SEENSET_EINVAL;
    for (size_t i = 0; i < push_count; i++)
        if (!is_valid(&pushes[i]))
            return SEENSET_EINVAL;
    ride on;
    depart(&on, queue);
    int error = queue->manifest.normalise == SEENSET_QUEUE_NORMALISE_URL
                    ? push_urls(&on, pushes, push_count, is_new)
                    : push_some(&on, pushes, push_count, is_new);
    return arrive(&on, error);
}
