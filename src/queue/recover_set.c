/* recover_set.c - the set of a queue: loaded from a snapshot, or made */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue/recover.h"

#include "file/file.h"
#include "set/set.h"

/* The options of the queue's set, with the queue's memory. */
static seenset_options set_options(const seenset_queue *queue)
{
    seenset_options options = queue->manifest.set;
    if (queue->memory.allocator.allocate != NULL)
        options.allocator = &queue->memory.allocator;
    return options;
}

int ss_recover_load_set(seenset_queue *queue, uint64_t position)
{
    char name[SS_FOLDER_NAME_BYTES], path[PATH_MAX];
    seenset_options options = set_options(queue);
    ss_directory_name(name, SS_FOLDER_SET, position);
    ss_directory_path(&queue->directory, path, name);
    return ss_file_load_as(queue->directory.io, &options, &queue->seen.set,
                           path);
}

int ss_recover_new_set(seenset_queue *queue)
{
    seenset_options options = set_options(queue);
    int error = queue->seen.set != NULL
                    ? SEENSET_OK
                    : seenset_new(&queue->seen.set, &options);
    if (error == SEENSET_OK)
        queue->seen.set->clock = queue->directory.io->clock;
    return error;
}
