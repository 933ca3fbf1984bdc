/* lease.c - see lease.h */
#include "visit/partition/lease.h"

#include <string.h>

#include "server/api.h"

static size_t text_bytes(const sr_lease *lease)
{
    return (size_t)lease->url_len + lease->data_len;
}

sr_lease *sr_lease_new(const sr_item *item, const uint64_t *host)
{
    size_t len = (size_t)item->url_len + item->data_len;
    size_t host_len = host == NULL ? 0 : sizeof *host;
    sr_lease *lease = sr_redis.try_alloc(sizeof *lease + len + host_len);
    if (lease == NULL)
        return NULL;
    *lease = (sr_lease){.url_len = item->url_len,
                        .data_len = item->data_len,
                        .has_data = item->has_data,
                        .has_host = host != NULL};
    if (item->url_len > 0)
        memcpy(lease->bytes, item->url, item->url_len);
    if (item->data_len > 0)
        memcpy(lease->bytes + item->url_len, item->data, item->data_len);
    if (host != NULL)
        memcpy(lease->bytes + len, host, sizeof *host);
    return lease;
}

uint64_t sr_lease_host(const sr_lease *lease)
{
    uint64_t host;
    memcpy(&host, lease->bytes + text_bytes(lease), sizeof host);
    return host;
}

void sr_lease_untry(sr_lease *lease)
{
    lease->times -= lease->times > 0;
}

sr_item sr_lease_item(const sr_lease *lease)
{
    return (sr_item){.url = lease->bytes,
                     .data = lease->bytes + lease->url_len,
                     .url_len = lease->url_len,
                     .data_len = lease->data_len,
                     .has_data = lease->has_data};
}

uint64_t sr_lease_bytes(const sr_lease *lease)
{
    return sizeof *lease + text_bytes(lease) +
           (lease->has_host ? sizeof(uint64_t) : 0);
}
