/*
 * push_many.c - many URLs with one wait for the disk, in chunks: the mutex is
 * held once for each.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include <string.h>

#include "base/growth.h"
#include "queue/push_parts.h"

/* A call of push_many. */
typedef struct push_call {
    seenset_queue *queue;
    ss_push_way way;
    uint64_t end;       /* the position that its answers have to wait for */
    uint64_t rollbacks; /* of the queue, when the call began */
    bool has_refused, has_no_url, has_over_budget;
} push_call;

/* What is pushed with the mutex held once. */
typedef struct chunk {
    const ss_push_way *way;
    size_t count;
    size_t bytes;     /* of the records, if all are new */
    size_t url_bytes; /* of the URLs */
    ss_pushed urls[SS_CHUNK_PUSHES];
    uint64_t hashes[SS_CHUNK_PUSHES]; /* of these */
    uint8_t answers[SS_CHUNK_PUSHES];
} chunk;

/* Which of the chunk's URLs does the set have? */
static void ask(const ss_url_set *set, chunk *some)
{
    if (!set->needs_urls) {
        ss_url_set_has_many(set, some->hashes, some->count, some->answers);
        return;
    }
    for (size_t i = 0; i < some->count; i++)
        some->answers[i] = ss_url_set_has(set, &some->urls[i]);
}

static int push_chunk_each(seenset_queue *queue,
                           const seenset_queue_entry *entries, chunk *some,
                           uint64_t *end)
{
    int error = ss_seen_reserve(&queue->seen, &queue->memory, some->count,
                                some->url_bytes);
    if (error != SEENSET_OK)
        return error;
    ask(&queue->seen.set, some);
    for (size_t i = 0; i < some->count; i++) {
        int answer = ss_push_each(queue, &entries[i], &some->urls[i], some->way,
                                  some->answers[i] != 0, end);
        if (answer == SEENSET_ENOMEM || answer == SEENSET_EIO)
            return answer;
        ss_push_count(queue, answer);
        some->answers[i] = ss_push_answer(answer);
    }
    return SEENSET_OK;
}

/* Appends all that the set took in, even if it could not take in the rest. */
static int push_chunk_hashes(seenset_queue *queue,
                             const seenset_queue_entry *entries, chunk *some)
{
    memset(some->answers, SEENSET_ANSWER_REFUSED, some->count);
    int error = ss_url_set_add_many(&queue->seen.set, some->hashes, some->count,
                                    some->urls[0].seconds, some->answers);
    if (error == SEENSET_EFULL)
        error = SEENSET_OK;
    for (size_t i = 0; i < some->count; i++) {
        uint8_t answer = some->answers[i];
        queue->seen.added_items += answer == SEENSET_ANSWER_NEW;
        if (answer == SEENSET_ANSWER_SEEN && some->way->is_again)
            answer = some->answers[i] = SEENSET_ANSWER_NEW;
        if (answer == SEENSET_ANSWER_NEW)
            ss_push_append(queue, &entries[i], &some->urls[i], some->way);
        if (error == SEENSET_OK)
            ss_push_count(queue, answer == SEENSET_ANSWER_REFUSED
                                     ? SEENSET_EFULL
                                     : answer);
    }
    return error;
}

/* One by one, up to an error. */
static int push_chunk_urls(seenset_queue *queue,
                           const seenset_queue_entry *entries, chunk *some)
{
    for (size_t i = 0; i < some->count; i++) {
        int answer =
            ss_push_at_once(queue, &entries[i], &some->urls[i], some->way);
        if (answer < 0 && answer != SEENSET_EFULL && answer != SEENSET_EBUDGET)
            return answer;
        ss_push_count(queue, answer);
        some->answers[i] = ss_push_answer(answer);
    }
    return SEENSET_OK;
}

static int push_chunk_locked(seenset_queue *queue,
                             const seenset_queue_entry *entries, chunk *some,
                             uint64_t *end)
{
    uint64_t seconds = ss_url_set_now(&queue->seen.set);
    for (size_t i = 0; i < some->count; i++)
        some->urls[i].seconds = seconds;
    if (ss_queue_is_each(queue))
        return push_chunk_each(queue, entries, some, end);
    return ss_url_set_takes_hashes(&queue->seen.set) &&
                   queue->seen.forgotten.count == 0 && queue->frontier == NULL
               ? push_chunk_hashes(queue, entries, some)
               : push_chunk_urls(queue, entries, some);
}

/* Fills a chunk with the first of the entries, at least one. */
static void gather(const seenset_queue *queue,
                   const seenset_queue_entry *entries, size_t count,
                   chunk *some)
{
    uint64_t most_bytes = queue->manifest.segment_bytes / 4;
    if (most_bytes > SS_BLOCK_BYTES)
        most_bytes = SS_BLOCK_BYTES;
    some->count = some->bytes = some->url_bytes = 0;
    while (some->count < SS_CHUNK_PUSHES && some->count < count) {
        const seenset_queue_entry *entry = &entries[some->count];
        size_t bytes = ss_push_bytes(queue, entry, some->way);
        if (some->count > 0 && some->bytes + bytes > most_bytes)
            break;
        const ss_pushed url =
            ss_url_set_pushed(&queue->seen.set, entry->url, entry->url_len);
        some->hashes[some->count] = url.hash;
        some->urls[some->count++] = url;
        some->bytes += bytes;
        some->url_bytes += url.url_len;
    }
}

static int push_chunk(seenset_queue *queue, const seenset_queue_entry *entries,
                      chunk *some, uint64_t *end)
{
    pthread_mutex_lock(&queue->mutex);
    int error = ss_append_reserve(queue, some->bytes);
    if (error == SEENSET_OK)
        error = push_chunk_locked(queue, entries, some, end);
    pthread_mutex_unlock(&queue->mutex);
    return error;
}

/* Pushes URLs in the form in which they are stored, and waits for nothing. */
static int push_all_stored(push_call *call, const seenset_queue_entry *entries,
                           size_t count, uint8_t *answers)
{
    chunk some;
    some.way = &call->way;
    for (size_t at = 0; at < count; at += some.count) {
        gather(call->queue, entries + at, count - at, &some);
        int error = push_chunk(call->queue, entries + at, &some, &call->end);
        if (error != SEENSET_OK)
            return error;
        if (answers != NULL)
            memcpy(answers + at, some.answers, some.count);
        call->has_refused |=
            memchr(some.answers, SEENSET_ANSWER_REFUSED, some.count) != NULL;
        call->has_over_budget |=
            memchr(some.answers, SEENSET_ANSWER_OVER_BUDGET, some.count) !=
            NULL;
    }
    return SEENSET_OK;
}

static push_call begin_call(seenset_queue *queue, ss_push_way way)
{
    pthread_mutex_lock(&queue->mutex);
    push_call call = {
        .queue = queue, .way = way, .rollbacks = queue->durability.rollbacks};
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
    if (call->has_over_budget)
        return SEENSET_EBUDGET;
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
        int error = ss_push_normalise(&entry, room, ss_push_room_for(&entry));
        if (error == SEENSET_EURL) {
            ss_push_count_not_url(queue);
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
            room_bytes += ss_push_room_for(&entries[at + count]);
        int error =
            push_some_urls(call, entries + at, count,
                           answers == NULL ? NULL : answers + at, room_bytes);
        if (error != SEENSET_OK)
            return error;
    }
    return SEENSET_OK;
}

/* Has any a priority? */
static bool have_lanes(const seenset_queue_entry *entries, size_t count,
                       const ss_push_way *way)
{
    unsigned all = 0;
    for (size_t i = 0; i < count; i++)
        all |= ss_push_lane(&entries[i], way);
    return all != 0;
}

/* Makes the queue one that may have such items. */
static int extend(seenset_queue *queue)
{
    int error = SEENSET_OK;
    pthread_mutex_lock(&queue->mutex);
    error = ss_queue_check(queue);
    if (error == SEENSET_OK)
        error = ss_create_extension(queue);
    pthread_mutex_unlock(&queue->mutex);
    return error;
}

static int push_all(seenset_queue *queue, const seenset_queue_entry *entries,
                    size_t entry_count, ss_push_way way, uint8_t *answers)
{
    if (queue == NULL || (entries == NULL && entry_count > 0))
        return SEENSET_EINVAL;
    for (size_t i = 0; i < entry_count; i++)
        if (!ss_push_is_valid(&entries[i]))
            return SEENSET_EINVAL;
    bool has_lanes = have_lanes(entries, entry_count, &way);
    if (has_lanes && way.is_seen_only)
        return SEENSET_EINVAL;
    push_call call = begin_call(queue, way);
    int error = has_lanes || way.is_seen_only ? extend(queue) : SEENSET_OK;
    if (error == SEENSET_OK)
        error = queue->manifest.normalise == SEENSET_QUEUE_NORMALISE_URL
                    ? push_all_urls(&call, entries, entry_count, answers)
                    : push_all_stored(&call, entries, entry_count, answers);
    return end_call(&call, error);
}

static bool are_options_valid(const seenset_queue_push_options *options)
{
    const uint32_t known = SEENSET_QUEUE_AGAIN | SEENSET_QUEUE_SEEN_ONLY;
    bool is_plain =
        options->priority == 0 && (options->flags & SEENSET_QUEUE_AGAIN) == 0;
    return options->priority < SS_LANES && (options->flags & ~known) == 0 &&
           ((options->flags & SEENSET_QUEUE_SEEN_ONLY) == 0 || is_plain) &&
           SS_GROWTH_IS_UNUSED(options);
}

int seenset_queue_push_many(seenset_queue *queue,
                            const seenset_queue_entry *entries,
                            size_t entry_count,
                            const seenset_queue_push_options *options,
                            uint8_t *answers)
{
    static const seenset_queue_push_options defaults = {0};
    if (options == NULL)
        options = &defaults;
    if (!are_options_valid(options))
        return SEENSET_EINVAL;
    return push_all(
        queue, entries, entry_count,
        (ss_push_way){.lane = options->priority,
                      .is_again = (options->flags & SEENSET_QUEUE_AGAIN) != 0,
                      .is_seen_only =
                          (options->flags & SEENSET_QUEUE_SEEN_ONLY) != 0},
        answers);
}
