/*
 * state_read.c - the bytes of a state, read and compared.
 *
 * A checksum finds accidents. The numbers are compared as well: a state that
 * contradicts itself would lose items or count items that do not exist, while
 * without a state all of it follows from the log.
 */
#include "items/state.h"

#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "items/state_fields.h"
#include "seenset/error.h"

/* The same of version 7 or 8, which is version 4 or 6 until then. */
static ss_state_shape read_runs_shape(const uint8_t *bytes, size_t size_bytes,
                                      ss_state_shape of)
{
    size_t at = ss_state_at_runs(of.is_polite);
    if (size_bytes < at + STATE_RUNS_BYTES)
        return (ss_state_shape){0};
    of.has_runs = true;
    of.header_bytes = at + STATE_RUNS_BYTES;
    of.runs = ss_bits_load(bytes + at, 8);
    return of;
}

/* What the header says of the file; header_bytes 0: of none of the versions. */
static ss_state_shape read_shape(const uint8_t *bytes, size_t size_bytes)
{
    uint8_t version = bytes[sizeof ss_state_magic];
    ss_state_shape of = {.header_bytes = STATE_HEADER_BYTES,
                         .range_bytes = STATE_RANGE_BYTES};
    if (memcmp(bytes, ss_state_magic, sizeof ss_state_magic) != 0 ||
        version < 1 || version > 8)
        return (ss_state_shape){0};
    if (version == 1)
        of.header_bytes = STATE_OLD_HEADER_BYTES;
    of.entries = ss_bits_load(bytes + 72, 8);
    of.ranges = ss_bits_load(bytes + 80, 8);
    if (version < 3)
        return of;
    if (size_bytes < STATE_EXTENDED_HEADER_BYTES)
        return (ss_state_shape){0};
    of.is_extended = true;
    of.has_turns = version >= 4;
    of.header_bytes = STATE_EXTENDED_HEADER_BYTES;
    of.range_bytes = STATE_LANED_RANGE_BYTES;
    of.hashes = ss_bits_load(bytes + STATE_AT_FORGOTTEN, 8);
    if (version < 5)
        return of;
    if (version == 7)
        return read_runs_shape(bytes, size_bytes, of);
    if (size_bytes < STATE_POLITE_HEADER_BYTES)
        return (ss_state_shape){0};
    of.is_polite = true;
    of.has_moved = version >= 6;
    of.header_bytes = STATE_POLITE_HEADER_BYTES;
    of.hosts = ss_bits_load(bytes + STATE_AT_HOSTS, 8);
    return version == 8 ? read_runs_shape(bytes, size_bytes, of) : of;
}

static bool is_whole(const uint8_t *bytes, size_t size_bytes, uint32_t log_id,
                     ss_state_shape *out)
{
    if (size_bytes < STATE_OLD_HEADER_BYTES + STATE_CRC_BYTES ||
        ss_bits_load(bytes + 8, 8) != log_id)
        return false;
    const ss_state_shape of = *out = read_shape(bytes, size_bytes);
    size_t covered = size_bytes - STATE_CRC_BYTES;
    return of.header_bytes > 0 &&
           of.entries <= size_bytes / STATE_ENTRY_BYTES &&
           of.ranges <= size_bytes / of.range_bytes &&
           of.hashes <= size_bytes / STATE_HASH_BYTES &&
           of.runs <= size_bytes / STATE_RUN_BYTES && of.hosts <= size_bytes &&
           ss_state_file_bytes(&of) == size_bytes &&
           ss_bits_load(bytes + covered, 4) == ss_crc32c(bytes, covered);
}

static ss_state_entry decode_entry(const uint8_t *bytes,
                                   const ss_state_shape *of)
{
    ss_state_entry entry = {.item = ss_bits_load(bytes, 8),
                            .position = ss_bits_load(bytes + 8, 8),
                            .due_ns = ss_bits_load(bytes + 16, 8),
                            .deliveries =
                                (uint32_t)ss_bits_load(bytes + 24, 4)};
    uint32_t last = (uint32_t)ss_bits_load(bytes + 28, 4);
    entry.turn = entry.deliveries & 255;
    if (of->has_turns) {
        entry.is_held = last & 1;
        entry.lane = (last & 255) / 2;
        entry.turn = last >> 8;
    } else if (of->is_extended) {
        entry.is_held = (last & 255) == 1;
        entry.turn = (entry.deliveries + (last >> 8)) & 255;
        entry.lane = last >> 16;
    } else {
        entry.is_held = last == 1;
    }
    return entry;
}

/* No item is beyond the next one, and each takes more than a byte of log. */
static bool are_numbers_sound(const ss_state *state)
{
    uint64_t unacked = 0;
    for (unsigned i = 0; i < SS_LANES; i++) {
        const ss_state_lane *lane = &state->lanes[i];
        if (lane->read_position > state->position ||
            lane->read_item > state->next_item ||
            lane->delayed_items > lane->unacked_items ||
            lane->unacked_items > state->next_item - unacked)
            return false;
        unacked += lane->unacked_items;
    }
    return state->next_item <= state->position;
}

/* No lease is longer than SS_LONGEST_NS when it is written. */
static bool is_due_sound(const ss_state *state, const ss_state_entry *entry)
{
    return !state->is_dated || entry->due_ns <= state->written.steady_ns ||
           entry->due_ns - state->written.steady_ns <= SS_LONGEST_NS;
}

/* Is it where one of its lane can be? */
static bool is_entry_placed(const ss_state *state, const ss_state_entry *entry)
{
    const ss_state_lane *lane = &state->lanes[entry->lane];
    if (state->is_polite)
        return (state->has_moved || entry->item >= lane->read_item) &&
               entry->item < state->next_item &&
               entry->position >= lane->read_position &&
               entry->position < state->position;
    return entry->item < lane->read_item &&
           entry->position < lane->read_position;
}

/* Entries ascend, and are below the reader of their lane. */
static bool are_entries_sound(const ss_state *state)
{
    uint64_t counts[SS_LANES] = {0};
    for (size_t i = 0; i < state->entry_count; i++) {
        const ss_state_entry *entry = &state->entries[i];
        bool is_first = i == 0;
        if (entry->lane >= SS_LANES ||
            ++counts[entry->lane] >
                state->lanes[entry->lane].unacked_items -
                    state->lanes[entry->lane].delayed_items ||
            !is_entry_placed(state, entry) || !is_due_sound(state, entry) ||
            (!is_first &&
             (entry->item <= entry[-1].item ||
              (entry->position <= entry[-1].position && !state->has_moved))))
            return false;
    }
    return true;
}

/* Ranges are between the reader and the next item. */
static bool are_ranges_sound(const ss_state *state)
{
    for (unsigned i = 0; i < SS_LANES; i++) {
        const ss_ranges *ranges = &state->lanes[i].ranges;
        if (ranges->count > 0 &&
            (ranges->at[0].first < state->lanes[i].read_item ||
             ranges->at[ranges->count - 1].end > state->next_item))
            return false;
    }
    return true;
}

/* Runs ascend, and have the items that the lanes say and what is done; that is
 * below the reader. */
static bool are_runs_sound(const ss_state *state)
{
    uint64_t left[SS_LANES] = {0};
    for (size_t i = 0; i < state->run_count; i++) {
        const ss_state_run *run = &state->runs[i];
        if (run->name.lane >= SS_LANES || run->next >= run->name.count ||
            run->name.count > state->next_item ||
            run->name.floor >= state->position ||
            run->name.number >= state->next_run ||
            run->shift_ns > SS_STATE_MOST_SHIFT_NS ||
            run->shift_ns < -SS_STATE_MOST_SHIFT_NS ||
            (i > 0 && run->name.number <= run[-1].name.number))
            return false;
        left[run->name.lane] += run->name.count - run->next;
    }
    for (unsigned i = 0; i < SS_LANES; i++) {
        const ss_state_lane *lane = &state->lanes[i];
        const ss_ranges *gone = &lane->gone;
        if (lane->delayed_items > left[i] ||
            (gone->count > 0 &&
             (state->is_polite ||
              gone->at[gone->count - 1].end > lane->read_item)))
            return false;
    }
    return state->next_run <= SS_STATE_MOST_RUNS;
}

/* In a polite queue: all lanes are from the oldest item on, which is there if
 * any is. */
static bool are_polite_lanes_sound(const ss_state *state)
{
    uint64_t unacked = 0;
    const ss_state_lane *first = &state->lanes[0];
    for (unsigned i = 0; i < SS_LANES; i++) {
        const ss_state_lane *lane = &state->lanes[i];
        if (lane->read_item != first->read_item ||
            lane->read_position != first->read_position ||
            lane->ranges.count > 0)
            return false;
        unacked += lane->unacked_items;
    }
    if (state->has_moved)
        return unacked <= state->next_item &&
               (first->read_position < state->position ||
                (unacked == 0 && first->read_item == state->next_item));
    return unacked <= state->next_item - first->read_item &&
           (first->read_item == state->next_item) ==
               (first->read_position == state->position);
}

/* The items that wait are at the reader or after it, and none of the ranges. If
 * none waits, the reader is at the end: it would not be read. */
static bool are_lanes_sound(const ss_state *state)
{
    for (unsigned i = 0; i < SS_LANES; i++) {
        const ss_state_lane *lane = &state->lanes[i];
        uint64_t waiting = ss_state_waiting(state, i);
        if (waiting > state->next_item - lane->read_item -
                          ss_ranges_total(&lane->ranges) ||
            (waiting == 0 && (lane->read_item != state->next_item ||
                              lane->read_position != state->position)))
            return false;
    }
    return true;
}

static int decode_ranges(ss_state *state, const ss_memory *memory,
                         const uint8_t **next, const ss_state_shape *of)
{
    for (uint64_t i = 0; i < of->ranges; i++, *next += of->range_bytes) {
        uint64_t lane =
            of->is_extended ? ss_bits_load(*next + STATE_RANGE_BYTES, 8) : 0;
        bool is_gone = of->has_runs && lane >= STATE_GONE_LANE;
        lane -= is_gone ? STATE_GONE_LANE : 0;
        if (lane >= SS_LANES)
            return SEENSET_EDAMAGED;
        ss_state_lane *to = &state->lanes[lane];
        if (!ss_ranges_add(is_gone ? &to->gone : &to->ranges, memory,
                           ss_bits_load(*next, 8), ss_bits_load(*next + 8, 8)))
            return SEENSET_ENOMEM;
    }
    return SEENSET_OK;
}

static int decode_forgotten(ss_state *state, const ss_memory *memory,
                            const uint8_t *next, size_t count)
{
    if (count == 0)
        return SEENSET_OK;
    state->forgotten = ss_memory_alloc(memory, count, sizeof(uint64_t));
    if (state->forgotten == NULL)
        return SEENSET_ENOMEM;
    state->forgotten_count = count;
    for (size_t i = 0; i < count; i++)
        state->forgotten[i] = ss_bits_load(next + i * STATE_HASH_BYTES, 8);
    return SEENSET_OK;
}

static int decode_runs(ss_state *state, const ss_memory *memory,
                       const uint8_t *next, size_t count)
{
    if (count == 0)
        return SEENSET_OK;
    state->runs = ss_memory_alloc(memory, count, sizeof *state->runs);
    if (state->runs == NULL)
        return SEENSET_ENOMEM;
    state->run_count = count;
    for (size_t i = 0; i < count; i++, next += STATE_RUN_BYTES)
        state->runs[i] = (ss_state_run){
            .name = {.number = ss_bits_load(next, 8),
                     .count = ss_bits_load(next + 8, 8),
                     .floor = ss_bits_load(next + 16, 8),
                     .lane = (unsigned)ss_bits_load(next + 24, 4)},
            .next = ss_bits_load(next + 32, 8),
            .shift_ns = (int64_t)ss_bits_load(next + 40, 8)};
    return SEENSET_OK;
}

static int decode_hosts(ss_state *state, const ss_memory *memory,
                        const uint8_t *next, size_t size_bytes)
{
    if (size_bytes == 0)
        return SEENSET_OK;
    state->hosts = ss_memory_alloc(memory, size_bytes, 1);
    if (state->hosts == NULL)
        return SEENSET_ENOMEM;
    state->hosts_bytes = size_bytes;
    memcpy(state->hosts, next, size_bytes);
    return SEENSET_OK;
}

static int decode_lists(ss_state *state, const ss_memory *memory,
                        const uint8_t *next, const ss_state_shape *of)
{
    size_t entries = (size_t)of->entries;
    if (entries > 0) {
        state->entries =
            ss_memory_alloc(memory, entries, sizeof *state->entries);
        if (state->entries == NULL)
            return SEENSET_ENOMEM;
        state->entry_count = entries;
    }
    for (size_t i = 0; i < entries; i++, next += STATE_ENTRY_BYTES)
        state->entries[i] = decode_entry(next, of);
    int error = decode_ranges(state, memory, &next, of);
    if (error == SEENSET_OK)
        error = decode_forgotten(state, memory, next, (size_t)of->hashes);
    next += of->hashes * STATE_HASH_BYTES;
    if (error == SEENSET_OK)
        error = decode_runs(state, memory, next, (size_t)of->runs);
    next += of->runs * STATE_RUN_BYTES;
    return error == SEENSET_OK
               ? decode_hosts(state, memory, next, (size_t)of->hosts)
               : error;
}

static void decode_moment(ss_state *state, const uint8_t *bytes,
                          size_t header_bytes)
{
    state->is_dated = header_bytes >= STATE_HEADER_BYTES;
    if (!state->is_dated)
        return;
    memcpy(state->written.boot_id, bytes + STATE_AT_BOOT, SS_CLOCK_BOOT_BYTES);
    state->written.steady_ns = ss_bits_load(bytes + STATE_AT_STEADY, 8);
    state->written.wall_seconds = ss_bits_load(bytes + STATE_AT_WALL, 8);
}

static void decode_lanes(ss_state *state, const uint8_t *bytes)
{
    for (unsigned i = 0; i < SS_LANES; i++) {
        const uint8_t *from = bytes + STATE_HEADER_BYTES + i * STATE_LANE_BYTES;
        state->lanes[i].read_item = ss_bits_load(from, 8);
        state->lanes[i].read_position = ss_bits_load(from + 8, 8);
        state->lanes[i].unacked_items = ss_bits_load(from + 16, 8);
    }
}

static void decode_delayed(ss_state *state, const uint8_t *bytes)
{
    const uint8_t *from = bytes + ss_state_at_runs(state->is_polite);
    for (unsigned i = 0; i < SS_LANES; i++)
        state->lanes[i].delayed_items =
            ss_bits_load(from + STATE_DELAYED + 8 * i, 8);
    state->next_run = ss_bits_load(from + STATE_NEXT_RUN, 8);
}

/* Of a version without lanes: all items are in the first, and its number of
 * items follows from the lists. */
static void make_lanes(ss_state *state, const uint8_t *bytes)
{
    ss_state_lane *lane = &state->lanes[0];
    for (unsigned i = 1; i < SS_LANES; i++) {
        state->lanes[i].read_item = state->next_item;
        state->lanes[i].read_position = state->position;
    }
    lane->read_item = ss_bits_load(bytes + STATE_AT_READER, 8);
    lane->read_position = ss_bits_load(bytes + STATE_AT_READER + 8, 8);
    if (lane->read_item <= state->next_item)
        lane->unacked_items = state->next_item - lane->read_item -
                              ss_ranges_total(&lane->ranges) +
                              state->entry_count;
}

static int check(const ss_state *state, const uint8_t *bytes)
{
    bool is_sound = are_numbers_sound(state) && are_entries_sound(state) &&
                    are_ranges_sound(state) && are_runs_sound(state);
    if (is_sound && state->is_extended)
        is_sound = (state->is_polite ? are_polite_lanes_sound(state)
                                     : are_lanes_sound(state)) &&
                   (ss_bits_load(bytes + STATE_AT_READER, 8) |
                    ss_bits_load(bytes + STATE_AT_READER + 8, 8)) == 0;
    return is_sound ? SEENSET_OK : SEENSET_EDAMAGED;
}

int ss_state_decode(ss_state *out, const ss_memory *memory, uint32_t log_id,
                    const uint8_t *bytes, size_t size_bytes)
{
    ss_state_shape of;
    if (!is_whole(bytes, size_bytes, log_id, &of))
        return SEENSET_EDAMAGED;
    ss_state state = {.position = ss_bits_load(bytes + 16, 8),
                      .next_item = ss_bits_load(bytes + 24, 8),
                      .dropped_items = ss_bits_load(bytes + 48, 8),
                      .refused_items = ss_bits_load(bytes + 56, 8),
                      .not_url_items = ss_bits_load(bytes + 64, 8),
                      .is_extended = of.is_extended,
                      .has_turns = of.has_turns,
                      .is_polite = of.is_polite,
                      .has_moved = of.has_moved,
                      .has_runs = of.has_runs};
    if (of.is_polite)
        state.over_budget = ss_bits_load(bytes + STATE_AT_HOSTS + 8, 8);
    decode_moment(&state, bytes, of.header_bytes);
    int error = decode_lists(&state, memory, bytes + of.header_bytes, &of);
    if (state.is_extended)
        decode_lanes(&state, bytes);
    else
        make_lanes(&state, bytes);
    if (state.has_runs)
        decode_delayed(&state, bytes);
    if (error == SEENSET_OK)
        error = check(&state, bytes);
    if (error == SEENSET_OK)
        *out = state;
    else
        ss_state_free(&state, memory);
    return error;
}
