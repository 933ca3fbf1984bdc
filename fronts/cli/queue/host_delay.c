/* host_delay.c - see host_delay.h */
#include "queue/host_delay.h"

#include "command.h"
#include "queue/access/access.h"
#include "queue/text/host.h"

static int complain_of(const char *dir, int error)
{
    if (error != SEENSET_EUNSUPPORTED)
        return queue_complain(dir, error);
    return host_complain_not_polite(dir);
}

/* Blocks the host of one lease. Returns 0 or an error. */
static int delay_lease(seenset_queue *queue, uint64_t lease, double seconds,
                       seenset_queue_item *item)
{
    const seenset_queue_host_settings block = {
        .flags = SEENSET_QUEUE_HOST_BLOCK, .block_seconds = seconds};
    int error = seenset_queue_get_leased(queue, lease, item);
    if (error == SEENSET_ELEASE)
        return SEENSET_OK;
    if (error < 0)
        return error;
    return seenset_queue_set_host(queue, item->host, item->host_len, &block);
}

int host_delay_leases(seenset_queue *queue, const char *dir,
                      const uint64_t *leases, size_t count, double seconds)
{
    seenset_queue_item item = {0};
    int error = SEENSET_OK;
    for (size_t i = 0; i < count && error == SEENSET_OK; i++)
        error = delay_lease(queue, leases[i], seconds, &item);
    seenset_queue_item_free(&item);
    return error == SEENSET_OK ? 0 : complain_of(dir, error);
}
