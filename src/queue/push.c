/*
 * push.c - drops URLs that were seen, appends the others.
 *
 * The order of steps makes a crash harmless. A URL's bits are set after its
 * record is appended, and under durability `each` after the record is on the
 * disk. No answer is given before what it relies on is durable. That is so for
 * "seen", too: a call that drops a URL because another thread just pushed it
 * waits until that push is durable.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue/handle.h"

#include <string.h>

#include "base/bits.h"
#include "hash/xxh3.h"
#include "seenset/url.h"
#include "url/normalise.h"

/* ---- one URL, mutex held and room for its record reserved ---- */

static void append_push(seenset_queue *queue, const seenset_queue_entry *entry)
{
    uint8_t *payload = ss_log_end_payload(&queue->log);
    ss_bits_store(payload, SS_PUSH_PREFIX_BYTES, entry->url_len);
    payload += SS_PUSH_PREFIX_BYTES;
    if (entry->url_len > 0)
        memcpy(payload, entry->url, entry->url_len);
    if (entry->data_len > 0)
        memcpy(payload + entry->url_len, entry->data, entry->data_len);
    ss_append_record(queue, SS_RECORD_PUSH,
                     SS_PUSH_PREFIX_BYTES + entry->url_len + entry->data_len);
    queue->items.unacked_items++;
}

static size_t record_bytes(const seenset_queue_entry *entry)
{
    return SS_RECORD_HEADER_BYTES + SS_PUSH_PREFIX_BYTES + entry->url_len +
           entry->data_len;
}

/*
 * Under `each`, a URL that the set does not have: it is in flight, or it is
 * appended. *end becomes the position that its answer has to wait for.
 */
static int push_unset(seenset_queue *queue, const seenset_queue_entry *entry,
                      uint64_t hash, uint64_t *end)
{
    if (ss_seen_is_in_flight(&queue->seen, hash)) {
        *end = queue->log.tail;
        return SEENSET_ANSWER_SEEN;
    }
    if (ss_seen_is_full(&queue->seen))
        return SEENSET_EFULL;
    append_push(queue, entry);
    ss_seen_join_group(&queue->seen, hash);
    *end = queue->log.tail;
    return SEENSET_ANSWER_NEW;
}

static void count_answer(ss_counters *counters, int answer)
{
    counters->dropped_items += answer == SEENSET_ANSWER_SEEN;
    counters->refused_items += answer == SEENSET_EFULL;
}

static int push_each(seenset_queue *queue, const seenset_queue_entry *entry,
                     uint64_t hash, uint64_t *end)
{
    int error = ss_seen_reserve(&queue->seen, &queue->memory, 1);
    if (error != SEENSET_OK)
        return error;
    if (seenset_has_hash(queue->seen.set, hash))
        return SEENSET_ANSWER_SEEN;
    return push_unset(queue, entry, hash, end);
}

/* In the other modes: the set is asked and changed in one step. */
static int push_at_once(seenset_queue *queue, const seenset_queue_entry *entry,
                        uint64_t hash)
{
    int answer = seenset_add_hash(queue->seen.set, hash);
    if (answer == SEENSET_ANSWER_NEW) {
        append_push(queue, entry);
        queue->seen.added_items++;
    }
    return answer;
}

static int push_locked(seenset_queue *queue, const seenset_queue_entry *entry,
                       uint64_t hash, uint64_t *end)
{
    int error = ss_append_reserve(queue, record_bytes(entry));
    if (error != SEENSET_OK)
        return error;
    int answer = ss_queue_is_each(queue) ? push_each(queue, entry, hash, end)
                                         : push_at_once(queue, entry, hash);
    count_answer(&queue->counters, answer);
    return answer;
}

/* Pushes a URL in the form in which it is stored. */
static int push_stored(seenset_queue *queue, const seenset_queue_entry *entry)
{
    uint64_t hash = ss_hash_key(entry->url, entry->url_len), end = 0;
    pthread_mutex_lock(&queue->mutex);
    int answer = push_locked(queue, entry, hash, &end);
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

static bool is_valid(const seenset_queue_entry *entry)
{
    return (entry->url != NULL || entry->url_len == 0) &&
           (entry->data != NULL || entry->data_len == 0) &&
           entry->url_len <= SEENSET_QUEUE_MAX_ITEM_BYTES &&
           entry->data_len <= SEENSET_QUEUE_MAX_ITEM_BYTES - entry->url_len;
}

/* Bytes that the normal form may need; 0 if the URL is too long for one. */
static size_t room_for(const seenset_queue_entry *entry)
{
    return entry->url_len > SEENSET_URL_MAX_BYTES
               ? 0
               : SS_URL_ROOM_BYTES(entry->url_len);
}

/*
 * Replaces the URL by its normal form, which is written to `room`. Returns 0,
 * SEENSET_EURL, SEENSET_ENOMEM, or SEENSET_EINVAL: the item gets too long.
 */
static int normalise(seenset_queue_entry *entry, char *room, size_t room_bytes)
{
    if (room_bytes == 0)
        return SEENSET_EURL;
    int error = seenset_url_normalise(entry->url, entry->url_len, room,
                                      &room_bytes, NULL);
    if (error != SEENSET_OK)
        return error;
    entry->url = room;
    entry->url_len = room_bytes;
    return is_valid(entry) ? SEENSET_OK : SEENSET_EINVAL;
}

static void count_not_url(seenset_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->counters.not_url_items++;
    queue->snapshots.is_dirty = true;
    pthread_mutex_unlock(&queue->mutex);
}

static int push_url(seenset_queue *queue, seenset_queue_entry entry)
{
    size_t room_bytes = room_for(&entry);
    char *room = ss_memory_alloc(&queue->memory, room_bytes + 1, 1);
    if (room == NULL)
        return SEENSET_ENOMEM;
    int answer = normalise(&entry, room, room_bytes);
    if (answer == SEENSET_EURL)
        count_not_url(queue);
    if (answer == SEENSET_OK)
        answer = push_stored(queue, &entry);
    ss_memory_free(&queue->memory, room, room_bytes + 1, 1);
    return answer;
}

int seenset_queue_push(seenset_queue *queue, const void *url, size_t url_len,
                       const void *data, size_t data_len)
{
    seenset_queue_entry entry = {url, url_len, data, data_len};
    if (queue == NULL || !is_valid(&entry))
        return SEENSET_EINVAL;
    if (queue->manifest.normalise == SEENSET_QUEUE_NORMALISE_URL)
        return push_url(queue, entry);
    return push_stored(queue, &entry);
}

/* ---- many ---- */

/* A call of push_many. */
typedef struct push_call {
    seenset_queue *queue;
    uint64_t end;       /* the position that its answers have to wait for */
    uint64_t rollbacks; /* of the queue, when the call began */
    bool has_refused, has_no_url;
} push_call;

/* What is pushed with the mutex held once. */
typedef struct chunk {
    size_t count;
    size_t bytes; /* of the records, if all are new */
    uint64_t hashes[SS_CHUNK_PUSHES];
    uint8_t answers[SS_CHUNK_PUSHES];
} chunk;

static int push_chunk_each(seenset_queue *queue,
                           const seenset_queue_entry *entries, chunk *some,
                           uint64_t *end)
{
    int error = ss_seen_reserve(&queue->seen, &queue->memory, some->count);
    if (error != SEENSET_OK)
        return error;
    (void)seenset_has_hash_many(queue->seen.set, some->hashes, some->count,
                                some->answers);
    for (size_t i = 0; i < some->count; i++) {
        int answer = SEENSET_ANSWER_SEEN;
        if (some->answers[i] == 0)
            answer = push_unset(queue, &entries[i], some->hashes[i], end);
        count_answer(&queue->counters, answer);
        some->answers[i] =
            answer < 0 ? SEENSET_ANSWER_REFUSED : (uint8_t)answer;
    }
    return SEENSET_OK;
}

/* Appends all that the set took in, even if it could not take in the rest. */
static int push_chunk_at_once(seenset_queue *queue,
                              const seenset_queue_entry *entries, chunk *some)
{
    memset(some->answers, SEENSET_ANSWER_REFUSED, some->count);
    int error = seenset_add_hash_many(queue->seen.set, some->hashes,
                                      some->count, some->answers);
    if (error == SEENSET_EFULL)
        error = SEENSET_OK;
    for (size_t i = 0; i < some->count; i++) {
        uint8_t answer = some->answers[i];
        if (answer == SEENSET_ANSWER_NEW) {
            append_push(queue, &entries[i]);
            queue->seen.added_items++;
        }
        if (error == SEENSET_OK)
            count_answer(&queue->counters, answer == SEENSET_ANSWER_REFUSED
                                               ? SEENSET_EFULL
                                               : answer);
    }
    return error;
}

/* Fills a chunk with the first of the entries, at least one. */
static void gather(const seenset_queue *queue,
                   const seenset_queue_entry *entries, size_t count,
                   chunk *some)
{
    uint64_t most_bytes = queue->manifest.segment_bytes / 4;
    if (most_bytes > SS_BLOCK_BYTES)
        most_bytes = SS_BLOCK_BYTES;
    some->count = some->bytes = 0;
    while (some->count < SS_CHUNK_PUSHES && some->count < count) {
        const seenset_queue_entry *entry = &entries[some->count];
        size_t bytes = record_bytes(entry);
        if (some->count > 0 && some->bytes + bytes > most_bytes)
            break;
        some->hashes[some->count] = ss_hash_key(entry->url, entry->url_len);
        some->bytes += bytes;
        some->count++;
    }
}

static int push_chunk(seenset_queue *queue, const seenset_queue_entry *entries,
                      chunk *some, uint64_t *end)
{
    pthread_mutex_lock(&queue->mutex);
    int error = ss_append_reserve(queue, some->bytes);
    if (error == SEENSET_OK)
        error = ss_queue_is_each(queue)
                    ? push_chunk_each(queue, entries, some, end)
                    : push_chunk_at_once(queue, entries, some);
    pthread_mutex_unlock(&queue->mutex);
    return error;
}

/* Pushes URLs in the form in which they are stored, and waits for nothing. */
static int push_all_stored(push_call *call, const seenset_queue_entry *entries,
                           size_t count, uint8_t *answers)
{
    chunk some;
    for (size_t at = 0; at < count; at += some.count) {
        gather(call->queue, entries + at, count - at, &some);
        int error = push_chunk(call->queue, entries + at, &some, &call->end);
        if (error != SEENSET_OK)
            return error;
        if (answers != NULL)
            memcpy(answers + at, some.answers, some.count);
        call->has_refused |=
            memchr(some.answers, SEENSET_ANSWER_REFUSED, some.count) != NULL;
    }
    return SEENSET_OK;
}

static push_call begin_call(seenset_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    push_call call = {.queue = queue, .rollbacks = queue->durability.rollbacks};
    pthread_mutex_unlock(&queue->mutex);
    return call;
}

/* Waits for all of it, once. */
static int end_call(push_call *call, int error)
{
    seenset_queue *queue = call->queue;
    pthread_mutex_lock(&queue->mutex);
    if (error == SEENSET_OK)
        error = ss_append_check(queue, call->rollbacks);
    if (error == SEENSET_OK)
        error = ss_append_wait(queue, call->end);
    ss_checkpoint_if_due(queue);
    pthread_mutex_unlock(&queue->mutex);
    if (error != SEENSET_OK)
        return error;
    if (call->has_refused)
        return SEENSET_EFULL;
    return call->has_no_url ? SEENSET_EURL : SEENSET_OK;
}

/* ---- many, normalised ---- */

/* URLs in normal form, and the index of the entry that each came from. */
typedef struct normal_forms {
    size_t count;
    seenset_queue_entry entries[SS_CHUNK_PUSHES];
    size_t origin[SS_CHUNK_PUSHES];
    uint8_t answers[SS_CHUNK_PUSHES];
} normal_forms;

/* Normalises into `room`. What is not a URL is counted and left out. */
static int normalise_all(seenset_queue *queue, normal_forms *forms, char *room,
                         const seenset_queue_entry *entries, size_t count)
{
    forms->count = 0;
    for (size_t i = 0; i < count; i++) {
        seenset_queue_entry entry = entries[i];
        int error = normalise(&entry, room, room_for(&entry));
        if (error == SEENSET_EURL) {
            count_not_url(queue);
            continue;
        }
        if (error != SEENSET_OK)
            return error;
        room += entry.url_len;
        forms->origin[forms->count] = i;
        forms->entries[forms->count++] = entry;
    }
    return SEENSET_OK;
}

static int push_normal_forms(push_call *call, normal_forms *forms,
                             size_t entry_count, uint8_t *answers)
{
    int error =
        push_all_stored(call, forms->entries, forms->count, forms->answers);
    if (answers != NULL) {
        memset(answers, SEENSET_ANSWER_NOT_A_URL, entry_count);
        for (size_t i = 0; i < forms->count; i++)
            answers[forms->origin[i]] = forms->answers[i];
    }
    call->has_no_url |= forms->count < entry_count;
    return error;
}

/* Pushes up to SS_CHUNK_PUSHES URLs, whose normal forms need room_bytes. */
static int push_some_urls(push_call *call, const seenset_queue_entry *entries,
                          size_t count, uint8_t *answers, size_t room_bytes)
{
    const ss_memory *memory = &call->queue->memory;
    normal_forms *forms = ss_memory_alloc(memory, 1, sizeof *forms);
    char *room = ss_memory_alloc(memory, room_bytes + 1, 1);
    int error = forms == NULL || room == NULL
                    ? SEENSET_ENOMEM
                    : normalise_all(call->queue, forms, room, entries, count);
    if (error == SEENSET_OK)
        error = push_normal_forms(call, forms, count, answers);
    ss_memory_free(memory, room, room_bytes + 1, 1);
    ss_memory_free(memory, forms, 1, sizeof *forms);
    return error;
}

static int push_all_urls(push_call *call, const seenset_queue_entry *entries,
                         size_t entry_count, uint8_t *answers)
{
    for (size_t at = 0, count; at < entry_count; at += count) {
        size_t room_bytes = 0;
        for (count = 0; count < SS_CHUNK_PUSHES && at + count < entry_count &&
                        room_bytes <= SEENSET_QUEUE_MAX_ITEM_BYTES;
             count++)
            room_bytes += room_for(&entries[at + count]);
        int error =
            push_some_urls(call, entries + at, count,
                           answers == NULL ? NULL : answers + at, room_bytes);
        if (error != SEENSET_OK)
            return error;
    }
    return SEENSET_OK;
}

int seenset_queue_push_many(seenset_queue *queue,
                            const seenset_queue_entry *entries,
                            size_t entry_count, uint8_t *answers)
{
    if (queue == NULL || (entries == NULL && entry_count > 0))
        return SEENSET_EINVAL;
    for (size_t i = 0; i < entry_count; i++)
        if (!is_valid(&entries[i]))
            return SEENSET_EINVAL;
    push_call call = begin_call(queue);
    int error = queue->manifest.normalise == SEENSET_QUEUE_NORMALISE_URL
                    ? push_all_urls(&call, entries, entry_count, answers)
                    : push_all_stored(&call, entries, entry_count, answers);
    return end_call(&call, error);
}
