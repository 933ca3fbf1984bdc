/* settle.c - see settle.h */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/delayed/settle.h"

#include "queue/delayed/delayed.h"
#include "queue/polite.h"

/* What is due in a lane waits in the chains of its hosts. Returns 0, or why
 * what is due in files could not be read. */
static int settle_lane(seenset_queue *queue, ss_lane *lane, uint64_t now_ns)
{
    int error = SEENSET_OK;
    for (;;) {
        if (error == SEENSET_OK)
            error = ss_delayed_bring(queue, lane, now_ns);
        ss_leased_item *entry = ss_leases_due(&lane->leases, now_ns);
        if (entry == NULL)
            return error;
        bool is_held = entry->state == SS_LEASE_HELD;
        if (is_held)
            ss_polite_end(queue, entry, entry->due_ns, true);
        ss_again_add(queue, entry, is_held);
    }
}

int ss_settle_due(seenset_queue *queue, uint64_t now_ns)
{
    ss_frontier *frontier = queue->frontier;
    int result = SEENSET_OK;
    for (unsigned i = 0; i < SS_LANES; i++) {
        int error = settle_lane(queue, &queue->items.lanes[i], now_ns);
        result = result == SEENSET_OK ? error : result;
    }
    int error = ss_frontier_link(frontier, queue->log.next_item,
                                 ss_append_readable(queue));
    ss_frontier_forget(frontier, ss_polite_ms_down(now_ns));
    return result == SEENSET_OK ? error : result;
}
