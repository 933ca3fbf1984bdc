/*
 * tables.c - see tables.h.
 */
#define _GNU_SOURCE /* pread */
#include "report/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "report/complain.h"

/* Offsets in the header, and in the record of a table: docs/format.md. */
enum {
    AT_VERSION = 8,
    AT_GENERATION_COUNT = 48,
    FIXED_BYTES = 128,
    IN_SIZE_BITS = 0,
    IN_HASH_COUNT = 8,
    IN_CAPACITY_ITEMS = 16,
    IN_FP_RATE = 24,
    IN_ADDED_ITEMS = 32,
    IN_PAYLOAD_OFFSET = 40,
    IN_PAYLOAD_BYTES = 48,
    RECORD_1_BYTES = 64,
    RECORD_2_BYTES = 128
};

#define MOST_BYTES ((size_t)FIXED_BYTES + TABLES_MOST * RECORD_2_BYTES)
#define CHUNK_BYTES ((size_t)1 << 20)

static uint64_t load(const uint8_t *bytes, unsigned count)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static void decode_record(table_record *out, const uint8_t *bytes)
{
    uint64_t rate_bits = load(bytes + IN_FP_RATE, 8);
    out->size_bits = load(bytes + IN_SIZE_BITS, 8);
    out->hash_count = (uint32_t)load(bytes + IN_HASH_COUNT, 4);
    out->capacity_items = load(bytes + IN_CAPACITY_ITEMS, 8);
    memcpy(&out->fp_rate, &rate_bits, sizeof out->fp_rate);
    out->added_items = load(bytes + IN_ADDED_ITEMS, 8);
    out->payload_offset = load(bytes + IN_PAYLOAD_OFFSET, 8);
    out->payload_bytes = load(bytes + IN_PAYLOAD_BYTES, 8);
}

static bool decode(tables *out, const uint8_t *bytes, size_t size)
{
    size_t record_bytes =
        load(bytes + AT_VERSION, 4) == 1 ? RECORD_1_BYTES : RECORD_2_BYTES;
    uint64_t count = load(bytes + AT_GENERATION_COUNT, 4);
    if (count > TABLES_MOST || size < FIXED_BYTES + count * record_bytes)
        return false;
    out->count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        decode_record(&out->records[i], bytes + FIXED_BYTES + i * record_bytes);
    return true;
}

/* Reads as much as there is. Returns how much, or -1 and errno. */
static ssize_t read_at(int fd, void *to, size_t size, uint64_t offset)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got =
            pread(fd, (char *)to + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

static uint32_t place_bits_of(const seenset_stats *stats)
{
    if (stats->counter_bits != 0)
        return stats->counter_bits;
    return stats->fingerprint_bits != 0 ? stats->fingerprint_bits : 1;
}

int tables_open(tables *out, const char *path, const seenset_stats *stats)
{
    uint8_t bytes[MOST_BYTES] = {0};
    *out = (tables){.path = path,
                    .layout = stats->layout,
                    .cell_bits = place_bits_of(stats)};
    out->fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = out->fd < 0 ? -1 : read_at(out->fd, bytes, sizeof bytes, 0);
    bool is_read = got >= FIXED_BYTES && decode(out, bytes, (size_t)got) &&
                   out->count == stats->table_count;
    if (is_read)
        return 0;
    complain("%s: %s", path,
             got < 0 ? strerror(errno) : "was replaced; try again");
    tables_close(out);
    return COMMAND_ERROR;
}

bool tables_has_sums(const char *path)
{
    uint8_t bytes[AT_VERSION + 4];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read_at(fd, bytes, sizeof bytes, 0);
    if (fd >= 0)
        close(fd);
    return got == (ssize_t)sizeof bytes && load(bytes + AT_VERSION, 4) > 2;
}

void tables_close(tables *opened)
{
    if (opened->fd >= 0)
        close(opened->fd);
    opened->fd = -1;
}

uint64_t tables_places(const tables *from, uint32_t number)
{
    /* A counting table gives its counters, a sealed one its bits. */
    uint64_t size_bits = from->records[number].size_bits;
    return from->layout == SEENSET_LAYOUT_SEALED ? size_bits / from->cell_bits
                                                 : size_bits;
}

/* How many of `count` places, from number `first` of the bytes on, are not 0.
 * A place is 1, 4, 8, 16 or 32 bits, and so never crosses eight bytes. */
static uint64_t count_cells(const uint8_t *bytes, uint64_t first,
                            uint64_t count, uint32_t cell_bits)
{
    uint64_t found = 0;
    uint64_t per_word = 64 / cell_bits;
    uint64_t mask =
        cell_bits == 64 ? UINT64_MAX : (UINT64_C(1) << cell_bits) - 1;
    for (uint64_t i = first; i < first + count;) {
        uint64_t word = load(bytes + i / per_word * 8, 8);
        uint64_t in_word = i % per_word;
        uint64_t left = first + count - i;
        if (cell_bits == 1 && in_word == 0 && left >= 64) {
            found += (uint64_t)__builtin_popcountll(word);
            i += 64;
            continue;
        }
        found += (word >> (in_word * cell_bits) & mask) != 0;
        i++;
    }
    return found;
}

/* The places from `first` to `end`, which are read by pieces. -1: errno. */
static int count_range(const tables *from, const table_record *record,
                       uint64_t first, uint64_t end, uint8_t *room,
                       uint64_t *found)
{
    uint64_t per_word = 64 / from->cell_bits;
    *found = 0;
    while (first < end) {
        uint64_t word = first / per_word;
        uint64_t last_word = (end + per_word - 1) / per_word;
        uint64_t words = last_word - word;
        if (words > CHUNK_BYTES / 8)
            words = CHUNK_BYTES / 8;
        ssize_t got = read_at(from->fd, room, words * 8,
                              record->payload_offset + word * 8);
        if (got < 0 || (uint64_t)got < words * 8)
            return -1;
        uint64_t stop = (word + words) * per_word;
        stop = stop < end ? stop : end;
        *found += count_cells(room, first - word * per_word, stop - first,
                              from->cell_bits);
        first = stop;
    }
    return 0;
}

/* floor(i places / count), without overflow. */
static uint64_t share_start(uint64_t places, uint64_t i, uint64_t count)
{
    return places / count * i + places % count * i / count;
}

int tables_read_fills(const tables *from, uint32_t number, double *fills,
                      uint64_t count)
{
    const table_record *record = &from->records[number];
    uint64_t places = tables_places(from, number);
    uint8_t *room = malloc(CHUNK_BYTES);
    int error = room == NULL ? -1 : 0;
    errno = room == NULL ? ENOMEM : 0;
    for (uint64_t i = 0; error == 0 && i < count; i++) {
        uint64_t first = share_start(places, i, count);
        uint64_t end = share_start(places, i + 1, count);
        uint64_t found = 0;
        error = count_range(from, record, first, end, room, &found);
        fills[i] = end > first ? (double)found / (double)(end - first) : 0;
    }
    free(room);
    if (error != 0)
        complain("%s: %s", from->path,
                 errno != 0 ? strerror(errno) : "it ends too early");
    return error == 0 ? 0 : COMMAND_ERROR;
}
