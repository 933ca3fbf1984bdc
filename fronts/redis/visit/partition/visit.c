/* visit.c - see visit.h */
#include "visit/partition/visit.h"

#include "server/memory.h"

sr_visit *sr_visit_new(void)
{
    sr_visit *visit = sr_redis.try_alloc(sizeof *visit);
    if (visit != NULL)
        *visit = (sr_visit){.limit_bytes = SR_VISIT_DEFAULT_LIMIT,
                            .leases.next_number = 1};
    return visit;
}

static void free_parts(sr_visit *visit)
{
    seenset_free(visit->set);
    sr_items_free(&visit->items);
    sr_leases_free(&visit->leases);
    sr_sites_free(visit->sites);
    sr_incoming_drop(&visit->incoming);
}

void sr_visit_free(sr_visit *visit)
{
    if (visit == NULL)
        return;
    sr_known_drop(&visit->known);
    free_parts(visit);
    sr_redis.free(visit);
}

void sr_visit_replace(sr_visit *into, sr_visit *from)
{
    sr_known *known = into->known;
    sr_known_drop(&from->known);
    free_parts(into);
    *into = *from;
    into->known = known;
    sr_redis.free(from);
}

uint64_t sr_visit_bytes(const sr_visit *visit)
{
    seenset_info info;
    uint64_t bytes = sizeof *visit + visit->incoming.room_bytes +
                     sr_items_bytes(&visit->items) +
                     sr_leases_bytes(&visit->leases);
    if (seenset_get_info(visit->set, &info, sizeof info) == 0)
        bytes += info.memory_bytes;
    if (visit->sites != NULL)
        bytes += sr_sites_bytes(visit->sites);
    return bytes;
}

uint64_t sr_visit_pending(const sr_visit *visit)
{
    return visit->sites == NULL ? sr_items_count(&visit->items)
                                : visit->sites->items;
}

uint64_t sr_visit_count(const sr_visit *visit)
{
    uint64_t dead = visit->sites == NULL ? 0 : visit->sites->dead_count;
    return sr_visit_pending(visit) + visit->leases.count - dead;
}

int sr_visit_take(sr_visit *visit, uint64_t due_ms, sr_lease **lease)
{
    sr_item item;
    int found = sr_items_first(&visit->items, &item);
    if (found != 1)
        return found;
    *lease = sr_lease_new(&item, NULL);
    if (*lease == NULL)
        return SEENSET_ENOMEM;
    sr_items_drop(&visit->items);
    sr_leases_add(&visit->leases, *lease, due_ms);
    return 1;
}
