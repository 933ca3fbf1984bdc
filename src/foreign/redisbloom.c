/*
 * redisbloom.c - a filter of RedisBloom, as BF.SCANDUMP hands it out: the data
 * of its replies, one after the other and without the iterators.
 *
 *     0  8  size       items of all links
 *     8  4  count      links, 1 to 1024
 *    12  4  options    1: sizes are not powers of two, 2: entries are bits,
 *                      4: hashes of 64 bits, 8: NONSCALING
 *    16  4  growth     the next link has so many times the entries
 *    20     each link, 53 bytes:
 *           0  8  bytes
 *           8  8  bits
 *          16  8  size            items in it
 *          24  8  error           its rate, as a double
 *          32  8  bits per entry  as a double
 *          40  4  hashes          k
 *          44  8  entries         items that it was made for
 *          52  1  n2              bits is 2^n2, if this is not 0
 *           the bits of each link, the oldest first
 *
 * All is little-endian. An item is in one link, and any may have it, so each is
 * a filter here, and a key is in the file if one of them has it. There is no
 * magic, but the numbers of each link have to agree with each other, and those
 * of all links with the first one. Read from what RedisBloom 2.4.18 and 8.2.0
 * reply to BF.SCANDUMP.
 */
#include <string.h>

#include "base/bits.h"
#include "file/header/header.h"
#include "foreign/foreign.h"

enum {
    HEAD_BYTES = 20,
    AT_COUNT = 8,
    AT_OPTIONS = 12,
    AT_GROWTH = 16,
    MOST_LINKS = 1024,
    ALL_OPTIONS = 15,
    HASHES_OF_64 = 4,
    MOST_GROWTH = 32768,

    LINK_BYTES = 53,
    AT_BITS = 8,
    AT_SIZE = 16,
    AT_ERROR = 24,
    AT_EACH = 32,
    AT_HASHES = 40,
    AT_ENTRIES = 44,
    AT_N2 = 52,
    MOST_HASHES = 4096,
    MOST_N2 = 52
};

static uint64_t field(const uint8_t *bytes, size_t at)
{
    return ss_bits_load(bytes + at, 8);
}

static double real(const uint8_t *bytes, size_t at)
{
    uint64_t bits = field(bytes, at);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t count_of(const uint8_t *bytes)
{
    return (uint32_t)ss_bits_load(bytes + AT_COUNT, 4);
}

static const uint8_t *link_of(const uint8_t *bytes, uint32_t i)
{
    return bytes + HEAD_BYTES + (size_t)i * LINK_BYTES;
}

/* An item that is new sets a bit, and a link that has its entries gets no more:
 * one of the two is true for ever. */
static bool is_link(const uint8_t *link)
{
    uint64_t bits = field(link, AT_BITS), n2 = link[AT_N2];
    uint64_t size = field(link, AT_SIZE), entries = field(link, AT_ENTRIES);
    uint64_t hashes = ss_bits_load(link + AT_HASHES, 4);
    double error = real(link, AT_ERROR), each = real(link, AT_EACH);
    return bits >= 1 && bits < SEENSET_MAX_SIZE_BITS &&
           field(link, 0) == (bits + 7) / 8 && error > 0 && error < 1 &&
           each > 0 && each < 1e6 && hashes >= 1 && hashes <= MOST_HASHES &&
           entries >= 1 && (size <= bits || size <= entries) &&
           (n2 == 0 || (n2 <= MOST_N2 && bits == UINT64_C(1) << n2));
}

/* Sizes are summed up modulo 2^64, as RedisBloom does. */
static bool are_links(const uint8_t *bytes)
{
    uint64_t items = 0;
    for (uint32_t i = 0; i < count_of(bytes); i++) {
        if (!is_link(link_of(bytes, i)))
            return false;
        items += field(link_of(bytes, i), AT_SIZE);
    }
    return items == field(bytes, 0);
}

static bool begins(const uint8_t *bytes, size_t size_bytes)
{
    if (size_bytes < HEAD_BYTES + LINK_BYTES)
        return false;
    uint32_t count = count_of(bytes);
    return count >= 1 && count <= MOST_LINKS &&
           ss_bits_load(bytes + AT_OPTIONS, 4) <= ALL_OPTIONS &&
           ss_bits_load(bytes + AT_GROWTH, 4) <= MOST_GROWTH &&
           size_bytes >= HEAD_BYTES + (size_t)count * LINK_BYTES &&
           are_links(bytes);
}

/* Bits after the last are zero in the last byte. */
static bool is_padded(const uint8_t *bits, uint64_t m)
{
    return m % 8 == 0 || bits[m / 8] >> m % 8 == 0;
}

static void read_link(seenset_foreign_filter *out, const seenset_foreign *file,
                      uint32_t i, uint64_t offset)
{
    const uint8_t *link = link_of(file->bytes, i);
    uint64_t bits = field(link, AT_BITS);
    *out = (seenset_foreign_filter){
        .column = "",
        .reason = "",
        .bits_offset = offset,
        .size_bits = bits,
        .hash_count = (uint32_t)ss_bits_load(link + AT_HASHES, 4),
        .capacity_items = field(link, AT_ENTRIES),
        .fp_rate = real(link, AT_ERROR),
        .added_items = field(link, AT_SIZE),
        .group = i,
        .layout = SEENSET_LAYOUT_BLOOM,
        .scheme = SEENSET_SCHEME_REDISBLOOM};
    if (out->hash_count > SEENSET_MAX_HASH_COUNT) {
        out->error = SEENSET_EUNSUPPORTED;
        out->reason = "over 255 bits a key";
        out->reason_offset = (uint64_t)(link - file->bytes) + AT_HASHES;
    } else if (!is_padded(file->bytes + offset, bits)) {
        out->error = SEENSET_ECORRUPT;
        out->reason = "bits are set after the last";
        out->reason_offset = offset + bits / 8;
    }
}

/* Where the bits of the last link end; each link is below 2^50 bytes. */
static uint64_t end_of(const uint8_t *bytes)
{
    uint32_t count = count_of(bytes);
    uint64_t end = HEAD_BYTES + (uint64_t)count * LINK_BYTES;
    for (uint32_t i = 0; i < count; i++)
        end += field(link_of(bytes, i), 0);
    return end;
}

static int check(const seenset_foreign *file, seenset_file_report *report)
{
    uint64_t size = file->info.file_bytes, end = end_of(file->bytes);
    if ((file->bytes[AT_OPTIONS] & HASHES_OF_64) == 0)
        return ss_header_refuse(report, SEENSET_EUNSUPPORTED, AT_OPTIONS,
                                "a filter of RedisBloom with hashes of 32 "
                                "bits");
    if (size < end)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, size,
                                "the file ends inside the bits");
    if (size > end)
        return ss_header_refuse(report, SEENSET_ECORRUPT, end,
                                "there is more after the bits");
    return SEENSET_OK;
}

static int open_redisbloom(seenset_foreign *file, seenset_file_report *report)
{
    uint32_t count = count_of(file->bytes);
    uint64_t offset = HEAD_BYTES + (uint64_t)count * LINK_BYTES;
    int error = check(file, report);
    if (error == SEENSET_OK)
        error = ss_foreign_make_room(file, count, 0, report);
    if (error != SEENSET_OK)
        return error;
    file->info.group_count = count;
    for (uint32_t i = 0; i < count; i++) {
        read_link(&file->filters[i], file, i, offset);
        offset += field(link_of(file->bytes, i), 0);
    }
    return SEENSET_OK;
}

/* Of a file of one link, which is the only one that is written. */
static void store_items(uint8_t *bytes, uint64_t items)
{
    ss_bits_store(bytes, 8, items);
    ss_bits_store(bytes + HEAD_BYTES + AT_SIZE, 8, items);
}

const ss_format ss_format_redisbloom = {.id = SEENSET_FORMAT_REDISBLOOM,
                                        .name = "redisbloom",
                                        .begins = begins,
                                        .open = open_redisbloom,
                                        .is_written = true,
                                        .ends_at_capacity = true,
                                        .store_items = store_items};
