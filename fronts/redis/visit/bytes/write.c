/* write.c - a partition as bytes: writing; see bytes.h */
#include <string.h>

#include "key/persist_parts.h"
#include "visit/bytes/bytes.h"

/* Bytes on their way, gathered until they are a whole piece. */
typedef struct pieces {
    seenset_write_function *write;
    void *context;
    uint64_t sum;
    size_t used;
    uint8_t bytes[SR_CHUNK_BYTES];
} pieces;

static void hand_over(pieces *to)
{
    if (to->used == 0)
        return;
    to->sum = sr_sum(to->sum, to->bytes, to->used);
    to->write(to->context, to->bytes, to->used);
    to->used = 0;
}

static int put(void *context, const void *bytes, size_t len)
{
    pieces *to = context;
    const uint8_t *from = bytes;
    while (len > 0) {
        size_t room = sizeof to->bytes - to->used;
        size_t more = len < room ? len : room;
        memcpy(to->bytes + to->used, from, more);
        to->used += more;
        from += more;
        len -= more;
        if (to->used == sizeof to->bytes)
            hand_over(to);
    }
    return 0;
}

static void put_number(pieces *to, uint64_t number, size_t size_bytes)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < size_bytes; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
    put(to, bytes, size_bytes);
}

static void put_set(pieces *to, const seenset *set)
{
    size_t len = 0;
    seenset_write_bytes(set, NULL, &len);
    put_number(to, len, 8);
    seenset_write(set, put, to);
}

static void put_block(pieces *to, const uint8_t *bytes, uint64_t len,
                      uint64_t raw_len, uint64_t items)
{
    put_number(to, len, 8);
    put_number(to, raw_len, 8);
    put_number(to, items, 8);
    put(to, bytes, (size_t)len);
}

static void put_raw(pieces *to, const sr_raw *raw)
{
    size_t len = raw->len - raw->at;
    put_block(to, raw->bytes + raw->at, len, len, raw->items);
}

static void put_items(pieces *to, const sr_items *items)
{
    put_number(to, items->block_count + 2, 8);
    put_raw(to, &items->head);
    for (size_t i = 0; i < items->block_count; i++) {
        const sr_block *block = &items->blocks[items->first + i];
        put_block(to, block->bytes, block->len, block->raw_len, block->items);
    }
    put_raw(to, &items->tail);
}

static void put_lease(pieces *to, const sr_lease *lease)
{
    put_number(to, lease->number, 8);
    put_number(to, lease->due_ms, 8);
    put_number(to, lease->times, 4);
    put_number(to, lease->is_out ? SR_LEASE_IS_OUT : 0, 4);
    sr_item item = sr_lease_item(lease);
    uint8_t head[SR_ITEM_HEAD_BYTES];
    put(to, head, sr_item_write_head(head, &item));
    put(to, lease->bytes, (size_t)item.url_len + item.data_len);
}

/* Is there one that was given back untried, and before that never tried? */
static bool has_untried(const sr_leases *leases)
{
    for (uint64_t i = 0; i < leases->count; i++) {
        if (leases->heap[i]->times == 0)
            return true;
    }
    return false;
}

static void put_leases(pieces *to, const sr_leases *leases)
{
    put_number(to, leases->count, 8);
    for (uint64_t i = 0; i < leases->row_count; i++) {
        if (leases->rows[i].lease != NULL)
            put_lease(to, leases->rows[i].lease);
    }
}

/* The sum is of pieces of 64 KiB and the rest, so it begins a piece. */
static void put_sum(pieces *to)
{
    hand_over(to);
    put_number(to, to->sum, 8);
    hand_over(to);
}

void sr_visit_write(const sr_visit *visit, seenset_write_function *write,
                    void *context)
{
    pieces to;
    to.write = write;
    to.context = context;
    to.sum = 0;
    to.used = 0;
    put(&to, has_untried(&visit->leases) ? SR_VISIT_MAGIC_2 : SR_VISIT_MAGIC,
        8);
    put_number(&to, visit->limit_bytes, 8);
    put_number(&to, visit->leases.next_number, 8);
    put_set(&to, visit->set);
    put_items(&to, &visit->items);
    put_leases(&to, &visit->leases);
    put_sum(&to);
}

static int count(void *context, const void *bytes, size_t len)
{
    (void)bytes;
    *(uint64_t *)context += len;
    return 0;
}

uint64_t sr_visit_total_bytes(const sr_visit *visit)
{
    uint64_t total = 0;
    sr_visit_write(visit, count, &total);
    return total;
}

static int store(void *context, const void *bytes, size_t len)
{
    uint8_t **at = context;
    memcpy(*at, bytes, len);
    *at += len;
    return 0;
}

void sr_visit_write_bytes(const sr_visit *visit, uint8_t *bytes)
{
    sr_visit_write(visit, store, &bytes);
}
