/*
 * memory_log.c - a queue without a folder: its log is in memory.
 *
 * Everything works as under durability `none`, over files in memory
 * (memory_files.h). There is nothing to recover, so no state and no set are
 * written. A checkpoint only removes segments, and more of them than in a
 * folder: each that the reader has passed and in which every item is acked,
 * even behind an item that is not. So memory follows what is pending. With
 * priorities the slowest reader decides: behind a waiting item all is kept.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/memory_log.h"
#include "queue/polite.h"

enum {
    SEGMENT_BYTES = 1 << 20,
    LOG_ID = 1 /* nobody else's bytes are in this memory */
};

int ss_memory_log_manifest(seenset_queue *queue,
                           const seenset_queue_options *options)
{
    seenset_queue_options own = *options;
    if (own.segment_bytes == 0)
        own.segment_bytes = SEGMENT_BYTES;
    int error = ss_manifest_from_options(&queue->manifest, &own);
    queue->manifest.log_id = LOG_ID;
    queue->files.usual_bytes = (size_t)queue->manifest.segment_bytes;
    return error;
}

int ss_memory_log_start(seenset_queue *queue)
{
    ss_log_end *log = &queue->log;
    if (!ss_positions_add(&log->segments, &queue->memory, 0) ||
        ss_log_end_create_segment(&queue->folder, LOG_ID, 0, &log->fd) !=
            SEENSET_OK)
        return SEENSET_ENOMEM;
    ss_log_end_set(log, SS_SEGMENT_HEADER_BYTES);
    return ss_polite_watch_segments(queue);
}

static void remove_segment(const ss_folder *folder, uint64_t start)
{
    char name[SS_FOLDER_NAME_BYTES];
    ss_folder_name(name, SS_FOLDER_LOG, start);
    ss_folder_remove(folder, name);
}

/* Is an item before `end` needed, that was handed out, or that a reader has to
 * come to? `oldest` has the item of each lane from which on none was passed. */
static bool is_needed(const ss_items *items, const ss_leased_item *oldest[],
                      uint64_t end)
{
    bool is_needed = false;
    for (unsigned i = 0; i < SS_LANES; i++) {
        const ss_lane *lane = &items->lanes[i];
        is_needed |= end > lane->reader.position;
        for (; oldest[i] != NULL && oldest[i]->position < end;
             oldest[i] = ss_leases_newer(&lane->leases, oldest[i]))
            is_needed = true;
    }
    return is_needed;
}

/* Where an item is, of a polite queue; UINT64_MAX: it is not pending. In memory
 * no scratch can fail. */
static uint64_t position_of(const seenset_queue *queue, uint64_t item)
{
    uint64_t position;
    return ss_polite_position(queue, item, &position) == 1 ? position
                                                           : UINT64_MAX;
}

/* Of its pending items from `from` on, the first whose record is not before
 * `start`. Records are in the order of numbers. */
static uint64_t first_from(const seenset_queue *queue, uint64_t from,
                           uint64_t start)
{
    uint64_t low = from, high = queue->log.next_item, found = high;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        uint64_t item =
            ss_pending_next(&queue->frontier->pending, middle, high);
        if (item == high) {
            high = middle;
        } else if (position_of(queue, item) >= start) {
            found = item;
            high = middle;
        } else {
            low = item + 1;
        }
    }
    return found;
}

/* Does a polite queue need a segment? *item becomes the first item from `start`
 * on, of those from *item on. */
static bool is_linked(const seenset_queue *queue, uint64_t *item,
                      uint64_t start, uint64_t end)
{
    *item = first_from(queue, *item, start);
    return end == UINT64_MAX || position_of(queue, *item) < end;
}

void ss_memory_log_trim(seenset_queue *queue)
{
    ss_items *items = &queue->items;
    const ss_leased_item *oldest[SS_LANES];
    uint64_t item = 0;
    ss_items_pass_empty(items, queue->log.next_item, queue->log.tail);
    for (unsigned i = 0; i < SS_LANES; i++)
        oldest[i] = ss_leases_oldest(&items->lanes[i].leases);
    ss_positions *segments = &queue->log.segments;
    size_t kept = 0, count = segments->count;
    for (size_t i = 0; i < count; i++) {
        uint64_t start = segments->at[i];
        uint64_t end = i + 1 < count ? segments->at[i + 1] : UINT64_MAX;
        bool is_kept = queue->frontier != NULL
                           ? is_linked(queue, &item, start, end)
                           : is_needed(items, oldest, end);
        if (is_kept)
            segments->at[kept++] = start;
        else
            remove_segment(&queue->folder, start);
    }
    segments->count = kept;
    if (queue->frontier != NULL)
        ss_live_drop(&queue->frontier->live, segments->at[0]);
}
