/* copy.c - see bytes.h */
#include "server/memory.h"
#include "visit/bytes/bytes.h"

/* By way of its bytes, so there is one way to read and write each part. */
static int copy_whole(sr_visit **copy, const sr_visit *visit)
{
    uint64_t total = sr_visit_total_bytes(visit);
    uint8_t *bytes =
        total > SIZE_MAX ? NULL : sr_redis.try_alloc((size_t)total);
    if (bytes == NULL)
        return SEENSET_ENOMEM;
    sr_visit_write_bytes(visit, bytes);
    int error = sr_visit_open(copy, bytes, (size_t)total, NULL);
    sr_redis.free(bytes);
    return error;
}

sr_visit *sr_visit_copy(const sr_visit *visit)
{
    sr_visit *copy = NULL;
    if (visit->set == NULL)
        copy = sr_visit_new();
    else
        copy_whole(&copy, visit);
    const sr_incoming *incoming = &visit->incoming;
    if (copy != NULL && incoming->bytes != NULL &&
        sr_incoming_add(&copy->incoming, 0, incoming->total_bytes,
                        incoming->bytes, (size_t)incoming->done_bytes) != 0) {
        sr_visit_free(copy);
        return NULL;
    }
    return copy;
}
