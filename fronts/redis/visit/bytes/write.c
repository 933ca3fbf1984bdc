/* write.c - a partition as bytes: writing; see bytes.h */
#include <string.h>

#include "visit/bytes/bytes.h"
#include "visit/bytes/pieces.h"

static void hand_over(sr_pieces *to)
{
    if (to->used == 0)
        return;
    to->sum = sr_sum(to->sum, to->bytes, to->used);
    to->write(to->context, to->bytes, to->used);
    to->used = 0;
}

int sr_put(void *context, const void *bytes, size_t len)
{
    sr_pieces *to = context;
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

void sr_put_number(sr_pieces *to, uint64_t number, size_t size_bytes)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < size_bytes; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
    sr_put(to, bytes, size_bytes);
}

static void put_set(sr_pieces *to, const seenset *set)
{
    size_t len = 0;
    seenset_write_bytes(set, NULL, &len);
    sr_put_number(to, len, 8);
    seenset_write(set, sr_put, to);
}

void sr_put_block(sr_pieces *to, const uint8_t *bytes, uint64_t len,
                  uint64_t raw_len, uint64_t items)
{
    sr_put_number(to, len, 8);
    sr_put_number(to, raw_len, 8);
    sr_put_number(to, items, 8);
    sr_put(to, bytes, (size_t)len);
}

static void put_raw(sr_pieces *to, const sr_raw *raw)
{
    size_t len = raw->len - raw->at;
    sr_put_block(to, raw->bytes + raw->at, len, len, raw->items);
}

void sr_put_items(sr_pieces *to, const sr_items *items)
{
    sr_put_number(to, items->block_count + 2, 8);
    put_raw(to, &items->head);
    for (size_t i = 0; i < items->block_count; i++) {
        const sr_block *block = &items->blocks[items->first + i];
        sr_put_block(to, block->bytes, block->len, block->raw_len,
                     block->items);
    }
    put_raw(to, &items->tail);
}

static uint64_t flags_of(const sr_lease *lease)
{
    static const uint64_t places[] = {[SR_LEASE_TIMED] = 0,
                                      [SR_LEASE_DUE] = SR_LEASE_IS_DUE,
                                      [SR_LEASE_DEAD] = SR_LEASE_IS_DEAD};
    return (lease->is_out ? SR_LEASE_IS_OUT : 0u) | places[lease->place];
}

static void put_lease(sr_pieces *to, const sr_lease *lease)
{
    sr_put_number(to, lease->number, 8);
    sr_put_number(to, lease->due_ms, 8);
    sr_put_number(to, lease->times, 4);
    sr_put_number(to, flags_of(lease), 4);
    if (lease->has_host)
        sr_put_number(to, sr_lease_host(lease), 8);
    sr_item item = sr_lease_item(lease);
    uint8_t head[SR_ITEM_HEAD_BYTES];
    sr_put(to, head, sr_item_write_head(head, &item));
    sr_put(to, lease->bytes, (size_t)item.url_len + item.data_len);
}

/* Is there one that was given back untried, and before that never tried? */
static bool has_untried(const sr_leases *leases)
{
    for (uint64_t i = 0; i < leases->row_count; i++) {
        const sr_lease *lease = leases->rows[i].lease;
        if (lease != NULL && lease->times == 0)
            return true;
    }
    return false;
}

static const char *magic_of(const sr_visit *visit)
{
    if (visit->sites != NULL)
        return SR_VISIT_MAGIC_3;
    return has_untried(&visit->leases) ? SR_VISIT_MAGIC_2 : SR_VISIT_MAGIC;
}

static void put_leases(sr_pieces *to, const sr_leases *leases)
{
    sr_put_number(to, leases->count, 8);
    for (uint64_t i = 0; i < leases->row_count; i++) {
        if (leases->rows[i].lease != NULL)
            put_lease(to, leases->rows[i].lease);
    }
}

/* The sum is of pieces of 64 KiB and the rest, so it begins a piece. */
static void put_sum(sr_pieces *to)
{
    hand_over(to);
    sr_put_number(to, to->sum, 8);
    hand_over(to);
}

void sr_visit_write(const sr_visit *visit, seenset_write_function *write,
                    void *context)
{
    sr_pieces to;
    to.write = write;
    to.context = context;
    to.sum = 0;
    to.used = 0;
    sr_put(&to, magic_of(visit), 8);
    sr_put_number(&to, visit->limit_bytes, 8);
    sr_put_number(&to, visit->leases.next_number, 8);
    put_set(&to, visit->set);
    if (visit->sites != NULL)
        sr_put_sites(&to, visit->sites);
    sr_put_items(&to, &visit->items);
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
