/* set.c - the set of a queue: set up, and loaded from a snapshot */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/recover/recover.h"

int ss_recover_init_set(ss_url_set *set, ss_manifest *manifest,
                        const ss_memory *memory, const ss_clock *clock)
{
    const ss_url_set_design design = {.options = &manifest->set,
                                      .arguments = &manifest->arguments,
                                      .is_exact = manifest->is_exact,
                                      .memory = memory,
                                      .clock = clock};
    int error = ss_url_set_init(set, &design);
    manifest->set.secret = NULL; /* the set has a copy */
    return error;
}

int ss_recover_load_set(seenset_queue *queue, uint64_t position)
{
    const ss_url_set_file file = {.folder = &queue->folder,
                                  .log_id = queue->manifest.log_id,
                                  .position = position};
    return ss_url_set_load(&queue->seen.set, &file);
}
