/*
 * look.c - the statistics of a queue that other processes may have open.
 *
 * The queue is read as recovery reads it, by the same code, but without the
 * lock: nothing is removed, cut or synced. Others may write meanwhile, because
 * of how they write:
 *
 *   - The log only grows. Its length is read once, after the snapshots; what
 *     is before that length does not change any more. A record that is being
 *     written is an unfinished end, and is not counted.
 *   - State and set files appear whole, under names with their position.
 *     Whichever pair is read, the log after it has the rest.
 *
 * So the statistics are those of the moment when the log's length was read. A
 * file may be removed between the listing of the folder and its reading, since
 * a newer one has taken its place. Then the folder is read again. If nothing
 * in it has changed in several tries, the other processes are not the cause,
 * and the error is returned. One such try shows too little: a file may come
 * back under its name.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include <errno.h>

#include "base/growth.h"
#include "hash/xxh3.h"
#include "queue/recover/recover.h"

enum {
    MAX_TRIES = 32, /* each fails by a checkpoint of another process */
    MAX_UNCHANGED = 3
};

static uint64_t mix(uint64_t into, const ss_positions *positions)
{
    into = ss_hash_step(into ^ positions->count);
    for (size_t i = 0; i < positions->count; i++)
        into = ss_hash_step(into ^ positions->at[i]);
    return into;
}

/* Computes a number that changes when the folder is written to. */
static int fingerprint(const ss_folder *folder, const ss_memory *memory,
                       uint64_t *out)
{
    ss_listing listing = {.memory = memory};
    const ss_positions *logs = &listing.logs;
    uint64_t size_bytes = 0;
    int error = ss_folder_list(folder, &listing);
    if (error == SEENSET_OK && logs->count > 0)
        (void)ss_recover_length(folder, logs->at[logs->count - 1], &size_bytes);
    if (error == SEENSET_OK) {
        uint64_t mixed = ss_hash_step(size_bytes + 1);
        mixed = mix(mixed, logs);
        mixed = mix(mixed, &listing.states);
        mixed = mix(mixed, &listing.sets);
        mixed = mix(mixed, &listing.delayed);
        *out = ss_hash_step(mixed ^ (listing.has_repair ? 1 : 2));
    }
    ss_listing_free(&listing);
    return error;
}

/* What is to be filled in. */
typedef struct looking {
    seenset_queue_stats stats;
    seenset_stats set_stats;
    bool wants_set; /* its statistics */
    seenset_queue_visit_function
        *visit; /* NULL, or who gets the items instead */
    void *visit_context;
    bool has_shown; /* it may have got some */
    const seenset_queue_options *options;
} looking;

static int look_once(const ss_io *io, const char *dir, looking *at)
{
    seenset_queue *queue;
    seenset_queue_options options = *at->options;
    options.durability = SEENSET_QUEUE_DURABILITY_DEFAULT; /* no thread */
    options.flags |= SEENSET_QUEUE_MUST_EXIST | SEENSET_QUEUE_KEEP_LEASES;
    int error = ss_queue_open_as(io, &queue, dir, &options, SS_FOR_LOOK);
    if (error != SEENSET_OK)
        return error;
    if (at->visit != NULL) {
        at->has_shown = true;
        error = seenset_queue_list(queue, at->visit, at->visit_context);
        ss_queue_free(queue);
        return error;
    }
    error = seenset_queue_get_stats(queue, &at->stats, sizeof at->stats);
    at->stats.durability = SEENSET_QUEUE_DURABILITY_DEFAULT;
    if (error == SEENSET_OK && at->wants_set)
        at->set_stats = (options.flags & SEENSET_QUEUE_SET_AT_ONCE) != 0
                            ? ss_url_set_estimate(&queue->seen.set)
                            : ss_url_set_stats(&queue->seen.set);
    ss_queue_free(queue);
    return error;
}

/* The errors of a file that was removed, or replaced, while it was read. */
static bool may_pass(int error)
{
    return error == SEENSET_EIO || error == SEENSET_EDAMAGED;
}

static int look(const ss_folder *folder, const ss_memory *memory, looking *at)
{
    int error = SEENSET_EIO, unchanged = 0;
    for (int tries = 0; tries < MAX_TRIES; tries++) {
        uint64_t before, after;
        int listed = fingerprint(folder, memory, &before);
        if (listed != SEENSET_OK)
            return listed;
        error = look_once(folder->io, folder->path, at);
        if (!may_pass(error) || at->has_shown)
            return error;
        int saved_errno = errno;
        listed = fingerprint(folder, memory, &after);
        errno = saved_errno;
        unchanged += before == after;
        if (listed != SEENSET_OK || unchanged == MAX_UNCHANGED)
            return error;
    }
    return error;
}

static int begin(ss_folder *folder, ss_memory *memory, const ss_io *io,
                 const char *dir, const seenset_queue_options *options)
{
    int error = ss_memory_init(
        memory, options->set == NULL ? NULL : options->set->allocator);
    return error == SEENSET_OK ? ss_folder_use(folder, io, dir) : error;
}

int ss_queue_look(const ss_io *io, const char *dir,
                  const seenset_queue_options *options,
                  seenset_queue_stats *out, size_t out_bytes,
                  seenset_stats *set_stats, size_t set_stats_bytes)
{
    ss_folder folder;
    ss_memory memory;
    looking at = {.wants_set = set_stats != NULL,
                  .options = ss_queue_given(options)};
    if (at.options->report != NULL)
        *at.options->report = (seenset_queue_report){0};
    if (dir == NULL || out == NULL || out_bytes == 0 ||
        (at.wants_set && set_stats_bytes == 0))
        return SEENSET_EINVAL;
    int error = begin(&folder, &memory, io, dir, at.options);
    if (error == SEENSET_OK)
        error = look(&folder, &memory, &at);
    if (error != SEENSET_OK)
        return error;
    if (at.wants_set)
        (void)ss_growth_hand_out(set_stats, set_stats_bytes, &at.set_stats,
                                 sizeof at.set_stats);
    return ss_growth_hand_out(out, out_bytes, &at.stats, sizeof at.stats);
}

static int look_list(const ss_io *io, const char *dir,
                     const seenset_queue_options *options,
                     seenset_queue_visit_function *visit, void *context)
{
    ss_folder folder;
    ss_memory memory;
    seenset_queue_options at_once = *ss_queue_given(options);
    looking at = {
        .visit = visit, .visit_context = context, .options = &at_once};
    at_once.flags |= SEENSET_QUEUE_SET_AT_ONCE;
    if (at_once.report != NULL)
        *at_once.report = (seenset_queue_report){0};
    if (dir == NULL || visit == NULL)
        return SEENSET_EINVAL;
    int error = begin(&folder, &memory, io, dir, &at_once);
    return error == SEENSET_OK ? look(&folder, &memory, &at) : error;
}

int seenset_queue_look(const char *dir, const seenset_queue_options *options,
                       seenset_queue_stats *out, size_t out_bytes,
                       seenset_stats *set_stats, size_t set_stats_bytes)
{
    return ss_queue_look(&ss_io_system, dir, options, out, out_bytes, set_stats,
                         set_stats_bytes);
}

int seenset_queue_look_list(const char *dir,
                            const seenset_queue_options *options,
                            seenset_queue_visit_function *visit, void *context)
{
    return look_list(&ss_io_system, dir, options, visit, context);
}
