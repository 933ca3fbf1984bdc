/* limits.c - how many delayed items stay in memory, and what follows from it */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/delayed/delayed.h"

#include "base/order.h"

/* How many items of a lane may be delayed in leases: one for each 4 KiB of a
 * segment, from 4 to 16,384. */
static uint64_t run_items_of(const ss_manifest *manifest)
{
    enum {
        LEAST = 4,
        MOST = 16384,
        ITEM_BYTES = 4096
    };
    uint64_t items = ss_lower(manifest->segment_bytes / ITEM_BYTES, MOST);
    return ss_higher(items, LEAST);
}

void ss_delayed_init(seenset_queue *queue)
{
    ss_items *items = &queue->items;
    items->run_files = (ss_run_files){.folder = &queue->folder,
                                      .memory = &queue->memory,
                                      .log_id = queue->manifest.log_id,
                                      .stay_open = queue->lock_fd < 0};
    items->run_items = run_items_of(&queue->manifest);
    for (unsigned i = 0; i < SS_LANES; i++)
        items->lanes[i].spill_at = items->run_items;
}

void ss_delayed_remake(const seenset_queue *from, seenset_queue *to)
{
    ss_manifest *made = &to->manifest;
    uint64_t handed = 0;
    for (unsigned i = 0; i < SS_LANES; i++)
        handed += from->items.lanes[i].leases.count +
                  from->items.lanes[i].delays.items;
    if (handed <= run_items_of(made))
        return;
    made->is_extended = made->has_untried = made->has_turns = true;
    made->has_runs = true;
    made->has_moved = made->is_polite;
}
