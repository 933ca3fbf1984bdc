/*
 * open.c - a partition from its bytes; see bytes.h.
 *
 * The bytes may come from anybody. Each length is compared with what is left,
 * memory is taken for what is there, and a block may claim no more than a block
 * can be. The sum finds accidents; all that is checked beside it holds against
 * a forger who has computed the sum.
 */
#include <string.h>

#include "key/persist_parts.h"
#include "server/memory.h"
#include "visit/bytes/bytes.h"

typedef struct reader {
    const uint8_t *at, *end;
    const char *reason;   /* NULL: all is well so far */
    uint64_t least_times; /* that a lease has if it is not out */
} reader;

static int damaged(reader *from, const char *reason)
{
    if (from->reason == NULL)
        from->reason = reason;
    return SEENSET_ECORRUPT;
}

/* The next len bytes, or NULL: fewer are left. */
static const uint8_t *take(reader *from, uint64_t len)
{
    if (len > (uint64_t)(from->end - from->at)) {
        damaged(from, "it ends too early");
        return NULL;
    }
    const uint8_t *bytes = from->at;
    from->at += len;
    return bytes;
}

static uint64_t take_number(reader *from, size_t size_bytes)
{
    const uint8_t *bytes = take(from, size_bytes);
    uint64_t number = 0;
    for (size_t i = 0; bytes != NULL && i < size_bytes; i++)
        number |= (uint64_t)bytes[i] << (8 * i);
    return number;
}

static int read_set(reader *from, sr_visit *visit)
{
    uint64_t len = take_number(from, 8);
    const uint8_t *bytes = take(from, len);
    if (from->reason != NULL)
        return SEENSET_ECORRUPT;
    seenset_open_options options = {.flags = SEENSET_OPEN_COPY,
                                    .allocator = &sr_allocator};
    int error = seenset_open_bytes(&visit->set, bytes, (size_t)len, &options);
    seenset_info info;
    if (error == 0 &&
        (seenset_get_info(visit->set, &info, sizeof info) != 0 ||
         info.on_full != SEENSET_ON_FULL_GROW || info.counter_bits != 0))
        return damaged(from, "its set is of another kind");
    if (error == SEENSET_ENOMEM || error == 0)
        return error;
    return damaged(from, "its set is damaged");
}

/* Checks that the bytes are the items that a block has. */
static int check_items(reader *from, const uint8_t *raw, uint64_t len,
                       uint64_t items)
{
    int64_t found = sr_block_count(raw, (size_t)len);
    return found >= 0 && (uint64_t)found == items
               ? 0
               : damaged(from, "the items of a block are damaged");
}

static const uint8_t *take_block(reader *from, sr_block *block)
{
    *block = (sr_block){0};
    block->len = take_number(from, 8);
    block->raw_len = take_number(from, 8);
    block->items = take_number(from, 8);
    return take(from, block->len);
}

/* The head or the tail. */
static int read_raw(reader *from, sr_raw *raw)
{
    sr_block block;
    const uint8_t *bytes = take_block(from, &block);
    if (from->reason != NULL || block.len != block.raw_len)
        return damaged(from, "the first or last block is packed");
    int error = check_items(from, bytes, block.len, block.items);
    if (error != 0 || block.items == 0)
        return error;
    raw->bytes = sr_redis.try_alloc((size_t)block.len);
    if (raw->bytes == NULL)
        return SEENSET_ENOMEM;
    memcpy(raw->bytes, bytes, (size_t)block.len);
    raw->len = raw->room = (size_t)block.len;
    raw->items = block.items;
    return 0;
}

/* Unpacks the block, to see that it can be, and drops what came of it. */
static int check_block(reader *from, const sr_block *block)
{
    uint8_t *raw = sr_redis.try_alloc((size_t)block->raw_len);
    if (raw == NULL)
        return SEENSET_ENOMEM;
    int error = sr_block_unpack(block, raw);
    if (error == 0)
        error = check_items(from, raw, block->raw_len, block->items);
    else if (error == SEENSET_ECORRUPT)
        damaged(from, "a block cannot be unpacked");
    sr_redis.free(raw);
    return error;
}

static int read_block(reader *from, sr_items *items)
{
    sr_block block;
    const uint8_t *bytes = take_block(from, &block);
    if (from->reason != NULL || block.len == 0 || block.len > block.raw_len ||
        block.raw_len > SR_BLOCK_MOST_BYTES)
        return damaged(from, "the length of a block is damaged");
    block.bytes = sr_redis.try_alloc((size_t)block.len);
    if (block.bytes == NULL)
        return SEENSET_ENOMEM;
    memcpy(block.bytes, bytes, (size_t)block.len);
    int error = check_block(from, &block);
    if (error == 0)
        error = sr_items_append(items, &block);
    if (error != 0)
        sr_block_free(&block);
    return error;
}

static int read_items(reader *from, sr_items *items)
{
    uint64_t blocks = take_number(from, 8);
    if (from->reason != NULL || blocks < 2)
        return damaged(from, "the number of blocks is damaged");
    int error = read_raw(from, &items->head);
    for (uint64_t i = 2; error == 0 && i < blocks; i++)
        error = read_block(from, items);
    return error == 0 ? read_raw(from, &items->tail) : error;
}

typedef struct lease_head {
    uint64_t number, due_ms, times, flags;
    sr_item item;
} lease_head;

static int take_lease(reader *from, lease_head *head)
{
    head->number = take_number(from, 8);
    head->due_ms = take_number(from, 8);
    head->times = take_number(from, 4);
    head->flags = take_number(from, 4);
    size_t len = from->reason != NULL
                     ? 0
                     : sr_item_read(from->at, (size_t)(from->end - from->at),
                                    &head->item);
    from->at += len;
    bool is_out = head->flags == SR_LEASE_IS_OUT;
    return len > 0 && head->flags <= SR_LEASE_IS_OUT &&
                   head->times >= (is_out ? 1 : from->least_times)
               ? 0
               : damaged(from, "a lease is damaged");
}

/* Numbers grow, and are below the next one. */
static int read_lease(reader *from, sr_leases *leases, uint64_t *last)
{
    lease_head head;
    if (take_lease(from, &head) != 0 || head.number <= *last ||
        head.number >= leases->next_number)
        return damaged(from, "the number of a lease is damaged");
    *last = head.number;
    int error = sr_leases_reserve(leases, 1);
    sr_lease *lease = error == 0 ? sr_lease_new(&head.item) : NULL;
    if (lease == NULL)
        return SEENSET_ENOMEM;
    lease->number = head.number;
    lease->due_ms = head.due_ms;
    lease->times = (uint32_t)head.times;
    lease->is_out = head.flags == SR_LEASE_IS_OUT;
    sr_leases_put(leases, lease);
    return 0;
}

static int read_leases(reader *from, sr_leases *leases)
{
    uint64_t count = take_number(from, 8), last = 0;
    int error = from->reason == NULL ? 0 : SEENSET_ECORRUPT;
    for (uint64_t i = 0; error == 0 && i < count; i++)
        error = read_lease(from, leases, &last);
    return error;
}

static int check_sum(reader *from)
{
    uint64_t sum = 0;
    if ((uint64_t)(from->end - from->at) < 8 + 8)
        return damaged(from, "it ends too early");
    const uint8_t *end = from->end - 8;
    for (const uint8_t *at = from->at; at < end; at += SR_CHUNK_BYTES) {
        size_t left = (size_t)(end - at);
        size_t len = left < SR_CHUNK_BYTES ? left : SR_CHUNK_BYTES;
        sum = sr_sum(sum, at, len);
        if (len == left)
            break;
    }
    reader last = {.at = end, .end = from->end};
    from->end = end;
    from->least_times = memcmp(from->at, SR_VISIT_MAGIC_2, 8) == 0 ? 0 : 1;
    if (from->least_times > 0 && memcmp(from->at, SR_VISIT_MAGIC, 8) != 0)
        return damaged(from, "it is not a partition, or of a newer version");
    from->at += 8;
    return take_number(&last, 8) == sum ? 0 : damaged(from, "the sum is wrong");
}

static int read_all(reader *from, sr_visit *visit)
{
    int error = check_sum(from);
    if (error != 0)
        return error;
    visit->limit_bytes = take_number(from, 8);
    visit->leases.next_number = take_number(from, 8);
    if (from->reason != NULL || visit->limit_bytes > INT64_MAX ||
        visit->leases.next_number == 0 ||
        visit->leases.next_number > SR_LEASE_MOST_NUMBER)
        return damaged(from, "its head is damaged");
    error = read_set(from, visit);
    if (error == 0)
        error = read_items(from, &visit->items);
    if (error == 0)
        error = read_leases(from, &visit->leases);
    if (error == 0 && from->at != from->end)
        return damaged(from, "there is more after its end");
    return error;
}

int sr_visit_open(sr_visit **out, const uint8_t *bytes, size_t len,
                  const char **reason)
{
    reader from = {.at = bytes, .end = bytes + len};
    sr_visit *visit = sr_visit_new();
    if (visit == NULL)
        return SEENSET_ENOMEM;
    int error = read_all(&from, visit);
    if (error == 0) {
        *out = visit;
        return 0;
    }
    sr_visit_free(visit);
    if (reason != NULL)
        *reason = from.reason == NULL ? "" : from.reason;
    return error;
}
