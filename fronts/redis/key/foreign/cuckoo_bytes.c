/* cuckoo_bytes.c - a list of sets as bytes, and from bytes; see cuckoo.h */
#include <string.h>

#include "key/foreign/cuckoo.h"
#include "key/persist_parts.h"
#include "key/set_part.h"
#include "server/api.h"
#include "server/memory.h"

static const char magic[8] = {'S', 'S', 'E', 'T', 'C', 'U', 'C', 'K'};

static void put(uint8_t **at, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        (*at)[i] = (uint8_t)(number >> (8 * i));
    *at += bytes;
}

static uint64_t take(const uint8_t **at, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++)
        number |= (uint64_t)(*at)[i] << (8 * i);
    *at += bytes;
    return number;
}

static size_t head_bytes(uint32_t count)
{
    return SR_CUCKOO_HEAD_BYTES + (size_t)count * SR_CUCKOO_PART_BYTES + 8;
}

static uint64_t file_bytes(const sr_cuckoo_part *part)
{
    size_t bytes = 0;
    seenset_write_bytes(part->set, NULL, &bytes);
    return bytes;
}

/* ---- writing ---- */

size_t sr_cuckoo_write_head(const sr_cuckoo *cuckoo,
                            uint8_t head[SR_CUCKOO_MAX_HEAD_BYTES])
{
    uint8_t *at = head + sizeof magic;
    memcpy(head, magic, sizeof magic);
    put(&at, cuckoo->inserted, 8);
    put(&at, cuckoo->deleted, 8);
    put(&at, cuckoo->buckets, 8);
    put(&at, cuckoo->bucket_size, 4);
    put(&at, cuckoo->max_iterations, 4);
    put(&at, cuckoo->expansion, 4);
    put(&at, cuckoo->count, 4);
    for (uint32_t i = 0; i < cuckoo->count; i++) {
        put(&at, file_bytes(&cuckoo->parts[i]), 8);
        put(&at, cuckoo->parts[i].slots, 8);
        put(&at, cuckoo->parts[i].bits, 4);
        put(&at, 0, 4);
    }
    put(&at, sr_sum(0, head, (size_t)(at - head)), 8);
    return (size_t)(at - head);
}

uint64_t sr_cuckoo_total_bytes(const sr_cuckoo *cuckoo)
{
    uint64_t bytes = head_bytes(cuckoo->count);
    for (uint32_t i = 0; i < cuckoo->count; i++)
        bytes += file_bytes(&cuckoo->parts[i]);
    return bytes;
}

void sr_cuckoo_write(const sr_cuckoo *cuckoo, seenset_write_function *write,
                     void *context)
{
    uint8_t head[SR_CUCKOO_MAX_HEAD_BYTES];
    write(context, head, sr_cuckoo_write_head(cuckoo, head));
    for (uint32_t i = 0; i < cuckoo->count; i++)
        seenset_write(cuckoo->parts[i].set, write, context);
}

void sr_cuckoo_part_bytes(const sr_cuckoo *cuckoo, uint64_t first,
                          uint8_t *bytes, size_t len)
{
    for (uint32_t i = 0; i < cuckoo->count && len > 0; i++) {
        uint64_t own = file_bytes(&cuckoo->parts[i]);
        if (first >= own) {
            first -= own;
            continue;
        }
        uint64_t left = own - first;
        size_t some = (size_t)(left < len ? left : len);
        sr_set_part(cuckoo->parts[i].set, first, bytes, some);
        bytes += some;
        len -= some;
        first = 0;
    }
}

/* ---- reading ---- */

/* The numbers of a header; the lengths of the files are in file_bytes. */
static void read_numbers(const uint8_t *bytes, sr_cuckoo *out)
{
    const uint8_t *at = bytes + sizeof magic;
    out->inserted = take(&at, 8);
    out->deleted = take(&at, 8);
    out->buckets = take(&at, 8);
    out->bucket_size = (uint32_t)take(&at, 4);
    out->max_iterations = (uint32_t)take(&at, 4);
    out->expansion = (uint32_t)take(&at, 4);
    out->count = (uint32_t)take(&at, 4);
}

/* The same of set number i. Returns the length of its file. */
static uint64_t read_part(const uint8_t *bytes, uint32_t i, sr_cuckoo_part *out)
{
    const uint8_t *at =
        bytes + SR_CUCKOO_HEAD_BYTES + (size_t)i * SR_CUCKOO_PART_BYTES;
    uint64_t len = take(&at, 8);
    out->slots = take(&at, 8);
    out->bits = (uint32_t)take(&at, 4);
    return len;
}

static bool are_sound(const sr_cuckoo *read)
{
    return read->inserted <= INT64_MAX && read->deleted <= INT64_MAX &&
           read->buckets > 0 && read->buckets <= SR_CUCKOO_MAX_CAPACITY &&
           read->bucket_size > 0 && read->bucket_size <= 255 &&
           read->max_iterations > 0 && read->max_iterations <= 65535 &&
           read->expansion <= 32768 && read->count > 0 &&
           read->count <= SR_CUCKOO_MAX_PARTS;
}

size_t sr_cuckoo_head(const uint8_t *bytes, size_t len, uint64_t *body_bytes)
{
    sr_cuckoo read = {0};
    uint64_t body = 0;
    if (len < head_bytes(1) || memcmp(bytes, magic, sizeof magic) != 0)
        return 0;
    read_numbers(bytes, &read);
    if (!are_sound(&read) || len < head_bytes(read.count))
        return 0;
    size_t summed = head_bytes(read.count) - 8;
    const uint8_t *at = bytes + summed;
    if (take(&at, 8) != sr_sum(0, bytes, summed))
        return 0;
    for (uint32_t i = 0; i < read.count; i++) {
        uint64_t file = read_part(bytes, i, &read.parts[i]);
        if (file == 0 || file > INT64_MAX / SR_CUCKOO_MAX_PARTS ||
            read.parts[i].bits == 0 || read.parts[i].bits > 63 ||
            read.parts[i].slots > SR_CUCKOO_MAX_CAPACITY ||
            (i > 0 && read.parts[i].bits < read.parts[i - 1].bits))
            return 0;
        body += file;
    }
    if (body > (uint64_t)INT64_MAX - head_bytes(read.count))
        return 0;
    *body_bytes = body;
    return head_bytes(read.count);
}

/* Whether a set is one of a list: of fingerprints, which takes hashes, and so
 * many bits of them. */
static bool is_part(sr_cuckoo_part *part)
{
    seenset_info info = {0};
    seenset_table_info table = {0};
    uint64_t count;
    seenset_get_info(part->set, &info, sizeof info);
    seenset_get_table_info(part->set, 0, &table, sizeof table);
    part->capacity = info.capacity_items;
    return info.fingerprint_bits > 0 && info.table_count == 1 &&
           part->capacity > 0 && info.on_full == SEENSET_ON_FULL_DEGRADE &&
           seenset_count_hash(part->set, 0, &count) == 0 &&
           sr_cuckoo_keeps(table.size_bits, table.hash_count, part->bits);
}

static int open_part(sr_cuckoo *cuckoo, const uint8_t *file, uint64_t len,
                     sr_cuckoo_part part, seenset_file_report *report)
{
    seenset_open_options options = {.flags = SEENSET_OPEN_COPY,
                                    .allocator = &sr_allocator,
                                    .report = report};
    int error = seenset_open_bytes(&part.set, file, (size_t)len, &options);
    if (error != 0)
        return error;
    cuckoo->parts[cuckoo->count++] = part;
    return is_part(&cuckoo->parts[cuckoo->count - 1]) ? 0 : SEENSET_ECORRUPT;
}

static int open_parts(sr_cuckoo *cuckoo, const uint8_t *bytes,
                      const uint8_t *file, seenset_file_report *report)
{
    uint32_t count = cuckoo->count;
    int error = 0;
    cuckoo->count = 0;
    for (uint32_t i = 0; i < count && error == 0; i++) {
        sr_cuckoo_part part = {0};
        uint64_t len = read_part(bytes, i, &part);
        error = open_part(cuckoo, file, len, part, report);
        file += len;
    }
    return error;
}

int sr_cuckoo_open(sr_cuckoo **out, const uint8_t *bytes, uint64_t len,
                   seenset_file_report *report)
{
    uint64_t body = 0;
    size_t head = sr_cuckoo_head(bytes, (size_t)len, &body);
    if (head == 0 || head + body != len)
        return SEENSET_ECORRUPT;
    sr_cuckoo *cuckoo = sr_redis.try_alloc(sizeof *cuckoo);
    if (cuckoo == NULL)
        return SEENSET_ENOMEM;
    *cuckoo = (sr_cuckoo){0};
    read_numbers(bytes, cuckoo);
    int error = open_parts(cuckoo, bytes, bytes + head, report);
    if (error == 0)
        *out = cuckoo;
    else
        sr_cuckoo_free(cuckoo);
    return error;
}
