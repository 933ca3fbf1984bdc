/* incoming.c - see incoming.h */
#include "key/incoming.h"

#include <string.h>

#include "server/memory.h"

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

static const char magic[8] = {'S', 'S', 'E', 'T', 'D', 'U', 'M', 'P'};

static void write_u64(uint8_t *bytes, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
}

static uint64_t read_u64(const uint8_t *bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number |= (uint64_t)bytes[i] << (8 * i);
    return number;
}

void sr_dump_write_head(uint64_t file_bytes, uint64_t expansion,
                        uint8_t head[SR_DUMP_HEAD_BYTES])
{
    memcpy(head, magic, sizeof magic);
    write_u64(head + 8, file_bytes);
    write_u64(head + 16, expansion);
}

static bool is_set_dump(const uint8_t *bytes, size_t len)
{
    return len >= SR_DUMP_HEAD_BYTES && memcmp(bytes, magic, sizeof magic) == 0;
}

size_t sr_dump_head(const uint8_t *bytes, size_t len, uint64_t *body_bytes)
{
    if (!is_set_dump(bytes, len))
        return sr_chain_head(bytes, len, body_bytes);
    uint64_t body = read_u64(bytes + 8);
    if (body == 0 || body > INT64_MAX - SR_DUMP_HEAD_BYTES ||
        read_u64(bytes + 16) > SR_MAX_EXPANSION)
        return 0;
    *body_bytes = body;
    return SR_DUMP_HEAD_BYTES;
}

static bool is_chain(const sr_incoming *incoming)
{
    uint64_t body = 0;
    size_t head =
        sr_chain_head(incoming->bytes, (size_t)incoming->total_bytes, &body);
    return head != 0 && head + body == incoming->total_bytes;
}

static bool is_cuckoo(const sr_incoming *incoming)
{
    uint64_t body = 0;
    return sr_cuckoo_head(incoming->bytes, (size_t)incoming->total_bytes,
                          &body) != 0;
}

int sr_incoming_open(const sr_incoming *incoming, const uint8_t *secret,
                     sr_loaded *loaded, seenset_file_report *report)
{
    const uint8_t *bytes = incoming->bytes;
    size_t len = (size_t)incoming->total_bytes;
    *loaded = (sr_loaded){0};
    if (is_cuckoo(incoming))
        return sr_cuckoo_open(&loaded->cuckoo, bytes, len, report);
    if (is_chain(incoming))
        return sr_chain_open(&loaded->chain, bytes, len);
    if (is_set_dump(bytes, len)) {
        loaded->has_expansion = true;
        loaded->expansion = read_u64(bytes + 16);
        bytes += SR_DUMP_HEAD_BYTES;
        len -= SR_DUMP_HEAD_BYTES;
    }
    seenset_open_options options = {.flags = SEENSET_OPEN_COPY,
                                    .secret = secret,
                                    .allocator = &sr_allocator,
                                    .report = report};
    return seenset_open_bytes(&loaded->set, bytes, len, &options);
}
