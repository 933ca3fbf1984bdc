/*
 * memory_log.c - a queue without a folder: its log is in memory.
 *
 * Everything works as under durability `none`, over files in memory
 * (memory_files.h). There is nothing to recover, so no state and no set are
 * written. A checkpoint only removes segments, and more of them than in a
 * folder: each that the reader has passed and in which every item is acked,
 * even behind an item that is not. So memory follows what is pending.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue/memory_log.h"

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
        ss_log_end_create_segment(&queue->directory, LOG_ID, 0, &log->fd) !=
            SEENSET_OK)
        return SEENSET_ENOMEM;
    ss_log_end_set(log, SS_SEGMENT_HEADER_BYTES);
    return SEENSET_OK;
}

static void remove_segment(const ss_directory *directory, uint64_t start)
{
    char name[SS_FOLDER_NAME_BYTES];
    ss_directory_name(name, SS_FOLDER_LOG, start);
    ss_directory_remove(directory, name);
}

/* Once every item was handed out, what the reader has not passed is no item. */
static void pass_other_records(ss_items *items, const ss_log_end *log)
{
    if (items->read_item == log->next_item)
        ss_log_reader_seek(&items->reader, log->tail);
}

void ss_memory_log_trim(seenset_queue *queue)
{
    ss_items *items = &queue->items;
    pass_other_records(items, &queue->log);
    const ss_leased_item *oldest = ss_leases_oldest(&items->leases);
    ss_positions *segments = &queue->log.segments;
    size_t kept = 0, count = segments->count;
    for (size_t i = 0; i < count; i++) {
        uint64_t start = segments->at[i];
        uint64_t end = i + 1 < count ? segments->at[i + 1] : UINT64_MAX;
        bool is_needed = end > items->reader.position;
        for (; oldest != NULL && oldest->position < end;
             oldest = ss_leases_newer(&items->leases, oldest))
            is_needed = true;
        if (is_needed)
            segments->at[kept++] = start;
        else
            remove_segment(&queue->directory, start);
    }
    segments->count = kept;
}
