/*
 * state.c - the state to bytes and back.
 *
 * A checksum finds accidents. The numbers are compared as well: a state that
 * contradicts itself would lose items or count items that do not exist, while
 * without a state all of it follows from the log.
 */
#include "items/state.h"

#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "seenset/error.h"

enum {
    OLD_HEADER_BYTES = 88, /* of version 1 */
    AT_BOOT = 88,
    AT_STEADY = 104,
    AT_WALL = 112,
    HEADER_BYTES = 120,
    ENTRY_BYTES = 32,
    RANGE_BYTES = 16,
    CRC_BYTES = 4
};

static const uint8_t magic[8] = {'S', 'E', 'E', 'N', 'S', 'T', 'A', 2};

void ss_state_free(ss_state *state, const ss_memory *memory)
{
    ss_memory_free(memory, state->entries, state->entry_count,
                   sizeof *state->entries);
    ss_ranges_free(&state->ranges, memory);
    *state = (ss_state){0};
}

uint64_t ss_state_floor(const ss_state *state)
{
    return state->entry_count > 0 ? state->entries[0].position
                                  : state->read_position;
}

static size_t file_bytes(size_t header_bytes, size_t entry_count,
                         size_t range_count)
{
    return header_bytes + entry_count * ENTRY_BYTES +
           range_count * RANGE_BYTES + CRC_BYTES;
}

size_t ss_state_bytes(size_t entry_count, size_t range_count)
{
    return file_bytes(HEADER_BYTES, entry_count, range_count);
}

/* The header's numbers in the order in which they are stored. */
static void list_numbers(const ss_state *state, uint64_t numbers[9])
{
    const uint64_t listed[9] = {
        state->position,      state->next_item,     state->read_item,
        state->read_position, state->dropped_items, state->refused_items,
        state->not_url_items, state->entry_count,   state->ranges.count};
    memcpy(numbers, listed, sizeof listed);
}

static uint8_t *encode_entry(uint8_t *bytes, const ss_entry *entry)
{
    ss_bits_store(bytes, 8, entry->item);
    ss_bits_store(bytes + 8, 8, entry->position);
    ss_bits_store(bytes + 16, 8, entry->due_ns);
    ss_bits_store(bytes + 24, 4, entry->deliveries);
    ss_bits_store(bytes + 28, 4, entry->is_held);
    return bytes + ENTRY_BYTES;
}

static uint8_t *encode_range(uint8_t *bytes, const ss_range *range)
{
    ss_bits_store(bytes, 8, range->first);
    ss_bits_store(bytes + 8, 8, range->end);
    return bytes + RANGE_BYTES;
}

void ss_state_encode(const ss_state *state, uint32_t log_id, uint8_t *bytes)
{
    uint64_t numbers[9];
    uint8_t *next = bytes + HEADER_BYTES;
    memcpy(bytes, magic, sizeof magic);
    ss_bits_store(bytes + 8, 8, log_id);
    list_numbers(state, numbers);
    for (int i = 0; i < 9; i++)
        ss_bits_store(bytes + 16 + 8 * i, 8, numbers[i]);
    memcpy(bytes + AT_BOOT, state->written.boot_id, SS_CLOCK_BOOT_BYTES);
    ss_bits_store(bytes + AT_STEADY, 8, state->written.steady_ns);
    ss_bits_store(bytes + AT_WALL, 8, state->written.wall_seconds);
    for (size_t i = 0; i < state->entry_count; i++)
        next = encode_entry(next, &state->entries[i]);
    for (size_t i = 0; i < state->ranges.count; i++)
        next = encode_range(next, &state->ranges.at[i]);
    ss_bits_store(next, 4, ss_crc32c(bytes, (size_t)(next - bytes)));
}

/* The length of the header, by its version; 0: neither of the two. */
static size_t header_bytes_of(const uint8_t *bytes)
{
    const size_t version_at = sizeof magic - 1;
    if (memcmp(bytes, magic, version_at) != 0)
        return 0;
    if (bytes[version_at] == 1)
        return OLD_HEADER_BYTES;
    return bytes[version_at] == magic[version_at] ? HEADER_BYTES : 0;
}

static bool is_whole(const uint8_t *bytes, size_t size_bytes, uint32_t log_id)
{
    if (size_bytes < OLD_HEADER_BYTES + CRC_BYTES ||
        ss_bits_load(bytes + 8, 8) != log_id)
        return false;
    size_t header_bytes = header_bytes_of(bytes);
    if (header_bytes == 0)
        return false;
    uint64_t entries = ss_bits_load(bytes + 72, 8);
    uint64_t ranges = ss_bits_load(bytes + 80, 8);
    size_t covered = size_bytes - CRC_BYTES;
    return entries <= size_bytes / ENTRY_BYTES &&
           ranges <= size_bytes / RANGE_BYTES &&
           file_bytes(header_bytes, (size_t)entries, (size_t)ranges) ==
               size_bytes &&
           ss_bits_load(bytes + covered, 4) == ss_crc32c(bytes, covered);
}

static ss_entry decode_entry(const uint8_t *bytes)
{
    return (ss_entry){.item = ss_bits_load(bytes, 8),
                      .position = ss_bits_load(bytes + 8, 8),
                      .due_ns = ss_bits_load(bytes + 16, 8),
                      .deliveries = (uint32_t)ss_bits_load(bytes + 24, 4),
                      .is_held = ss_bits_load(bytes + 28, 4) == 1};
}

/* No item is beyond the next one, and each takes more than a byte of log. */
static bool are_numbers_sound(const ss_state *state)
{
    return state->read_position <= state->position &&
           state->read_item <= state->next_item &&
           state->next_item <= state->position;
}

/* No lease is longer than SS_LONGEST_NS when it is written. */
static bool is_due_sound(const ss_state *state, const ss_entry *entry)
{
    return !state->is_dated || entry->due_ns <= state->written.steady_ns ||
           entry->due_ns - state->written.steady_ns <= SS_LONGEST_NS;
}

/* Entries ascend, and are below the reader. */
static bool are_entries_sound(const ss_state *state)
{
    for (size_t i = 0; i < state->entry_count; i++) {
        const ss_entry *entry = &state->entries[i];
        bool is_first = i == 0;
        if (entry->item >= state->read_item ||
            entry->position >= state->read_position ||
            !is_due_sound(state, entry) ||
            (!is_first && (entry->item <= entry[-1].item ||
                           entry->position <= entry[-1].position)))
            return false;
    }
    return true;
}

/* Ranges are between the reader and the next item. */
static bool are_ranges_sound(const ss_state *state)
{
    const ss_ranges *ranges = &state->ranges;
    return ranges->count == 0 ||
           (ranges->at[0].first >= state->read_item &&
            ranges->at[ranges->count - 1].end <= state->next_item);
}

static int decode_lists(ss_state *state, const ss_memory *memory,
                        const uint8_t *next, size_t entries, size_t ranges)
{
    if (entries > 0) {
        state->entries =
            ss_memory_alloc(memory, entries, sizeof *state->entries);
        if (state->entries == NULL)
            return SEENSET_ENOMEM;
        state->entry_count = entries;
    }
    for (size_t i = 0; i < entries; i++, next += ENTRY_BYTES)
        state->entries[i] = decode_entry(next);
    for (size_t i = 0; i < ranges; i++, next += RANGE_BYTES)
        if (!ss_ranges_add(&state->ranges, memory, ss_bits_load(next, 8),
                           ss_bits_load(next + 8, 8)))
            return SEENSET_ENOMEM;
    return SEENSET_OK;
}

static void decode_moment(ss_state *state, const uint8_t *bytes,
                          size_t header_bytes)
{
    state->is_dated = header_bytes == HEADER_BYTES;
    if (!state->is_dated)
        return;
    memcpy(state->written.boot_id, bytes + AT_BOOT, SS_CLOCK_BOOT_BYTES);
    state->written.steady_ns = ss_bits_load(bytes + AT_STEADY, 8);
    state->written.wall_seconds = ss_bits_load(bytes + AT_WALL, 8);
}

int ss_state_decode(ss_state *out, const ss_memory *memory, uint32_t log_id,
                    const uint8_t *bytes, size_t size_bytes)
{
    if (!is_whole(bytes, size_bytes, log_id))
        return SEENSET_EDAMAGED;
    ss_state state = {.position = ss_bits_load(bytes + 16, 8),
                      .next_item = ss_bits_load(bytes + 24, 8),
                      .read_item = ss_bits_load(bytes + 32, 8),
                      .read_position = ss_bits_load(bytes + 40, 8),
                      .dropped_items = ss_bits_load(bytes + 48, 8),
                      .refused_items = ss_bits_load(bytes + 56, 8),
                      .not_url_items = ss_bits_load(bytes + 64, 8)};
    size_t header_bytes = header_bytes_of(bytes);
    decode_moment(&state, bytes, header_bytes);
    int error = decode_lists(&state, memory, bytes + header_bytes,
                             (size_t)ss_bits_load(bytes + 72, 8),
                             (size_t)ss_bits_load(bytes + 80, 8));
    if (error == SEENSET_OK &&
        !(are_numbers_sound(&state) && are_entries_sound(&state) &&
          are_ranges_sound(&state)))
        error = SEENSET_EDAMAGED;
    if (error == SEENSET_OK)
        *out = state;
    else
        ss_state_free(&state, memory);
    return error;
}
