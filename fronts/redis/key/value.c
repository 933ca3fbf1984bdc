/* value.c - making, copying and freeing what a key holds */
#include "key/value.h"

#include <stdatomic.h>
#include <string.h>

#include "server/memory.h"

/* A value may be freed in a thread of the server's. */
static _Atomic uint64_t value_count;

uint64_t sr_value_count(void)
{
    return atomic_load(&value_count);
}

sr_value *sr_value_new(void)
{
    sr_value *value = sr_redis.try_alloc(sizeof *value);
    if (value == NULL)
        return NULL;
    *value = (sr_value){0};
    atomic_fetch_add(&value_count, 1);
    return value;
}

void sr_incoming_drop(sr_incoming *incoming)
{
    if (incoming->bytes != NULL)
        sr_redis.free(incoming->bytes);
    *incoming = (sr_incoming){0};
}

void sr_value_free(sr_value *value)
{
    if (value == NULL)
        return;
    seenset_free(value->set);
    sr_chain_free(value->chain);
    sr_cuckoo_free(value->cuckoo);
    sr_incoming_drop(&value->incoming);
    sr_redis.free(value);
    atomic_fetch_sub(&value_count, 1);
}

/* Only what has come is copied, and no room for more. */
static int copy_incoming(sr_incoming *out, const sr_incoming *incoming)
{
    if (incoming->bytes == NULL)
        return 0;
    uint8_t *bytes = sr_redis.try_alloc(incoming->done_bytes);
    if (bytes == NULL)
        return SEENSET_ENOMEM;
    memcpy(bytes, incoming->bytes, incoming->done_bytes);
    *out = *incoming;
    out->bytes = bytes;
    out->room_bytes = incoming->done_bytes;
    return 0;
}

sr_value *sr_value_copy(const sr_value *value)
{
    sr_value *copy = sr_value_new();
    if (copy == NULL)
        return NULL;
    copy->expansion = value->expansion;
    copy->is_keyed = value->is_keyed;
    memcpy(copy->secret, value->secret, sizeof copy->secret);
    int error = copy_incoming(&copy->incoming, &value->incoming);
    if (error == 0 && value->set != NULL)
        error = seenset_copy(&copy->set, value->set);
    if (error == 0 && value->chain != NULL) {
        copy->chain = sr_chain_copy(value->chain);
        error = copy->chain == NULL ? SEENSET_ENOMEM : 0;
    }
    if (error == 0 && value->cuckoo != NULL) {
        copy->cuckoo = sr_cuckoo_copy(value->cuckoo);
        error = copy->cuckoo == NULL ? SEENSET_ENOMEM : 0;
    }
    if (error == 0)
        return copy;
    sr_value_free(copy);
    return NULL;
}

uint64_t sr_value_growth(const seenset *set)
{
    seenset_info info = {0};
    seenset_get_info(set, &info, sizeof info);
    return info.on_full == SEENSET_ON_FULL_GROW ? 2 : 0;
}

size_t sr_value_bytes(const sr_value *value)
{
    uint64_t bytes = sizeof *value + value->incoming.room_bytes;
    seenset_info info;
    if (seenset_get_info(value->set, &info, sizeof info) == 0)
        bytes += info.memory_bytes;
    if (value->chain != NULL)
        bytes += sr_chain_bytes(value->chain);
    if (value->cuckoo != NULL)
        bytes += sr_cuckoo_bytes(value->cuckoo);
    return (size_t)bytes;
}
