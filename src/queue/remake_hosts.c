/* remake_hosts.c - see remake_hosts.h */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/remake_hosts.h"

#include "frontier/hosts_bytes.h"
#include "queue/polite.h"

/* Whatever is out counts as asked now: nobody will end it. */
static void end_all(seenset_queue *from, uint64_t now_ns)
{
    for (unsigned i = 0; i < SS_LANES; i++) {
        const ss_leases *leases = &from->items.lanes[i].leases;
        for (ss_leased_item *entry = ss_leases_oldest(leases); entry != NULL;
             entry = ss_leases_newer(leases, entry)) {
            if (entry->is_out)
                ss_polite_end(from, entry, now_ns, true);
        }
    }
}

static uint64_t as_it_is(const void *context, uint64_t ready_ms)
{
    (void)context;
    return ready_ms;
}

int ss_remake_hosts(seenset_queue *from, seenset_queue *to, bool *are_counted)
{
    *are_counted = false;
    if (from->frontier == NULL || to->frontier == NULL ||
        from->frontier->rules.by != to->frontier->rules.by)
        return SEENSET_OK;
    uint64_t now_ns = ss_queue_now(from), now_ms = ss_polite_ms_down(now_ns);
    end_all(from, now_ns);
    size_t size_bytes = ss_hosts_bytes_count(from->frontier, now_ms);
    uint8_t *bytes = ss_memory_alloc(&to->memory, size_bytes, 1);
    if (bytes == NULL)
        return SEENSET_ENOMEM;
    ss_hosts_bytes_write(from->frontier, now_ms, bytes);
    int error = ss_hosts_bytes_read(to->frontier, bytes, as_it_is, NULL);
    ss_memory_free(&to->memory, bytes, size_bytes, 1);
    to->frontier->over_budget = from->frontier->over_budget;
    *are_counted = from->frontier->rules.budget != SS_FRONTIER_ANY;
    return error;
}
