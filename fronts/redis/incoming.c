/* incoming.c - see incoming.h */
#include "incoming.h"

#include <string.h>

#include "memory.h"

/* Twice the room, and as much as is needed; never more than the whole file. */
static uint64_t wanted_room(const sr_incoming *incoming, uint64_t needed)
{
    uint64_t room = incoming->room_bytes;
    room = room > incoming->total_bytes / 2 ? incoming->total_bytes : 2 * room;
    return room > needed ? room : needed;
}

static int make_room(sr_incoming *incoming, uint64_t needed)
{
    if (needed <= incoming->room_bytes)
        return 0;
    uint64_t room = wanted_room(incoming, needed);
    uint8_t *bytes = room > SIZE_MAX ? NULL : sr_redis.try_alloc((size_t)room);
    if (bytes == NULL)
        return SEENSET_ENOMEM;
    if (incoming->bytes != NULL) {
        memcpy(bytes, incoming->bytes, (size_t)incoming->done_bytes);
        sr_redis.free(incoming->bytes);
    }
    incoming->bytes = bytes;
    incoming->room_bytes = room;
    return 0;
}

int sr_incoming_add(sr_incoming *incoming, uint64_t offset,
                    uint64_t total_bytes, const void *bytes, size_t len)
{
    if (len == 0 || offset > total_bytes || len > total_bytes - offset)
        return SEENSET_EINVAL;
    sr_incoming next = offset == 0 ? (sr_incoming){0} : *incoming;
    if (offset != next.done_bytes)
        return SEENSET_EMISMATCH;
    if (offset == 0)
        next.total_bytes = total_bytes;
    else if (next.total_bytes != total_bytes)
        return SEENSET_EINVAL;
    int error = make_room(&next, offset + len);
    if (error != 0)
        return error;
    memcpy(next.bytes + offset, bytes, len);
    next.done_bytes = offset + len;
    if (offset == 0)
        sr_incoming_drop(incoming);
    *incoming = next;
    return 0;
}

int sr_incoming_open(const sr_incoming *incoming, const uint8_t *secret,
                     seenset **set, seenset_file_report *report)
{
    seenset_open_options options = {.flags = SEENSET_OPEN_COPY,
                                    .secret = secret,
                                    .allocator = &sr_allocator,
                                    .report = report};
    return seenset_open_bytes(set, incoming->bytes,
                              (size_t)incoming->total_bytes, &options);
}
