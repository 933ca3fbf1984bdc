/*
 * queue_look.c - the figures of a queue that others may be using.
 *
 * A queue is read as recovery reads it, by the same code, but without the lock
 * and without the repairs at its end: nothing is removed, cut or synced. That
 * is sound while others write, because of how they do it:
 *
 *   - The log only grows. How long it is, is asked once, after the snapshots
 *     were read; what lies before that does not change any more. A record that
 *     is being written there is an unfinished end, and is not counted.
 *   - State and set files appear whole, under names that say of which position
 *     they are. Whatever pair is read, the log after it says what was added.
 *
 * So the figures are those of the moment in which the log's length was asked.
 * What can happen is that a file goes between the listing of the folder and
 * its reading, since a newer one has taken its place. Then the folder is read
 * anew. If nothing in it has changed meanwhile, the others are not to blame,
 * and the error is the answer.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <errno.h>

#include "hash/xxh3.h"
#include "queue/recover.h"

enum {
    MOST_TRIES = 32 /* each needs a checkpoint of somebody else to fail */
};

static uint64_t mix(uint64_t into, const ss_positions *positions)
{
    into = ss_hash_step(into ^ positions->count);
    for (size_t i = 0; i < positions->count; i++)
        into = ss_hash_step(into ^ positions->at[i]);
    return into;
}

/* A number that is another one once somebody has written to the folder. */
static int take_trace(const ss_directory *folder, const ss_memory *memory,
                      uint64_t *trace)
{
    ss_listing listing = {.memory = memory};
    const ss_positions *logs = &listing.logs;
    uint64_t size_bytes = 0;
    int error = ss_directory_list(folder, &listing);
    if (error == SEENSET_OK && logs->count > 0)
        (void)ss_recover_length(folder, logs->at[logs->count - 1], &size_bytes);
    if (error == SEENSET_OK) {
        *trace = ss_hash_step(size_bytes + 1);
        *trace = mix(*trace, logs);
        *trace = mix(*trace, &listing.states);
        *trace = mix(*trace, &listing.sets);
        *trace = ss_hash_step(*trace ^ (listing.has_repair ? 1 : 2));
    }
    ss_listing_free(&listing);
    return error;
}

static int look_once(const ss_io *io, const char *dir, seenset_queue_stats *out,
                     seenset_queue_report *report)
{
    seenset_queue *queue;
    const seenset_queue_options options = {
        .must_exist = 1, .keep_leases = 1, .report = report};
    int error = ss_queue_open_as(io, &queue, dir, &options, SS_FOR_LOOK);
    if (error != SEENSET_OK)
        return error;
    error = seenset_queue_get_stats(queue, out);
    out->durability = SEENSET_QUEUE_DURABILITY_DEFAULT;
    ss_queue_free(queue);
    return error;
}

/* What a file that went in between, or one that was half read, looks like. */
static bool is_passing(int error)
{
    return error == SEENSET_EIO || error == SEENSET_EDAMAGED;
}

static int look(const ss_directory *folder, const ss_memory *memory,
                seenset_queue_stats *out, seenset_queue_report *report)
{
    int error = SEENSET_EIO;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        uint64_t before, after;
        int listed = take_trace(folder, memory, &before);
        if (listed != SEENSET_OK)
            return listed;
        error = look_once(folder->io, folder->path, out, report);
        if (!is_passing(error))
            return error;
        int saved_errno = errno;
        listed = take_trace(folder, memory, &after);
        errno = saved_errno;
        if (listed != SEENSET_OK || before == after)
            return error;
    }
    return error;
}

int ss_queue_look(const ss_io *io, const char *dir, seenset_queue_stats *out,
                  seenset_queue_report *report)
{
    ss_directory folder;
    ss_memory memory;
    seenset_queue_stats stats;
    if (report != NULL)
        *report = (seenset_queue_report){0};
    if (dir == NULL || out == NULL)
        return SEENSET_EINVAL;
    int error = ss_directory_init(&folder, io, dir);
    if (error == SEENSET_OK)
        error = ss_memory_init(&memory, NULL);
    if (error == SEENSET_OK)
        error = look(&folder, &memory, &stats, report);
    if (error == SEENSET_OK)
        *out = stats;
    return error;
}

int seenset_queue_look(const char *dir, seenset_queue_stats *out,
                       seenset_queue_report *report)
{
    return ss_queue_look(&ss_io_system, dir, out, report);
}
