/*
 * state.c - a state in memory, and the bytes that are written of it. What is
 * read of them again is in state_read.c.
 */
#include "items/state.h"

#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "base/order.h"
#include "items/state_fields.h"

void ss_state_free(ss_state *state, const ss_memory *memory)
{
    ss_memory_free(memory, state->entries, state->entry_count,
                   sizeof *state->entries);
    ss_memory_free(memory, state->forgotten, state->forgotten_count,
                   sizeof *state->forgotten);
    for (unsigned i = 0; i < SS_LANES; i++)
        ss_ranges_free(&state->lanes[i].ranges, memory);
    for (unsigned i = 0; i < SS_LANES; i++)
        ss_ranges_free(&state->lanes[i].gone, memory);
    ss_memory_free(memory, state->runs, state->run_count, sizeof *state->runs);
    ss_memory_free(memory, state->hosts, state->hosts_bytes, 1);
    *state = (ss_state){0};
}

uint64_t ss_state_floor(const ss_state *state)
{
    uint64_t floor = state->entry_count > 0 ? state->entries[0].position
                                            : state->lanes[0].read_position;
    for (unsigned i = 0; i < SS_LANES; i++)
        floor = ss_lower(floor, state->lanes[i].read_position);
    for (size_t i = 0; i < state->run_count && !state->is_polite; i++)
        floor = ss_lower(floor, state->runs[i].name.floor);
    return floor;
}

uint64_t ss_state_waiting(const ss_state *state, unsigned lane)
{
    uint64_t waiting =
        state->lanes[lane].unacked_items - state->lanes[lane].delayed_items;
    for (size_t i = 0; i < state->entry_count; i++)
        waiting -= state->entries[i].lane == lane;
    return waiting;
}

static size_t header_bytes_of(const ss_state *state)
{
    if (state->has_runs)
        return ss_state_at_runs(state->is_polite) + STATE_RUNS_BYTES;
    if (state->is_polite)
        return STATE_POLITE_HEADER_BYTES;
    return state->is_extended ? STATE_EXTENDED_HEADER_BYTES
                              : STATE_HEADER_BYTES;
}

static ss_state_shape shape_of(const ss_state *state)
{
    bool is_extended = state->is_extended;
    ss_state_shape of = {.is_extended = is_extended,
                         .header_bytes = header_bytes_of(state),
                         .range_bytes = is_extended ? STATE_LANED_RANGE_BYTES
                                                    : STATE_RANGE_BYTES,
                         .entries = state->entry_count,
                         .hashes = state->forgotten_count,
                         .runs = state->run_count,
                         .hosts = state->is_polite ? state->hosts_bytes : 0};
    for (unsigned i = 0; i < SS_LANES; i++)
        of.ranges += state->lanes[i].ranges.count + state->lanes[i].gone.count;
    return of;
}

size_t ss_state_bytes(const ss_state *state)
{
    const ss_state_shape of = shape_of(state);
    return (size_t)ss_state_file_bytes(&of);
}

size_t ss_state_hosts_at(const ss_state *state)
{
    return ss_state_bytes(state) - STATE_CRC_BYTES - state->hosts_bytes;
}

/* The header's numbers in the order in which they are stored. */
static void list_numbers(const ss_state *state, uint64_t numbers[9])
{
    bool is_extended = state->is_extended;
    const ss_state_lane *lane = &state->lanes[0];
    const uint64_t listed[9] = {state->position,
                                state->next_item,
                                is_extended ? 0 : lane->read_item,
                                is_extended ? 0 : lane->read_position,
                                state->dropped_items,
                                state->refused_items,
                                state->not_url_items,
                                state->entry_count,
                                shape_of(state).ranges};
    memcpy(numbers, listed, sizeof listed);
}

static void encode_entry(const ss_state *state, uint8_t *bytes,
                         const ss_state_entry *entry)
{
    ss_bits_store(bytes, 8, entry->item);
    ss_bits_store(bytes + 8, 8, entry->position);
    ss_bits_store(bytes + 16, 8, entry->due_ns);
    ss_bits_store(bytes + 24, 4, entry->deliveries);
    if (state->has_turns) {
        ss_bits_store(bytes + 28, 1, 2 * entry->lane + entry->is_held);
        ss_bits_store(bytes + 29, 3, entry->turn);
        return;
    }
    ss_bits_store(bytes + 28, 1, entry->is_held);
    ss_bits_store(bytes + 29, 1, (entry->turn - entry->deliveries) & 255);
    ss_bits_store(bytes + 30, 2, entry->lane);
}

void ss_state_put_entry(const ss_state *state, uint8_t *bytes, size_t index,
                        const ss_state_entry *entry)
{
    encode_entry(state,
                 bytes + header_bytes_of(state) + index * STATE_ENTRY_BYTES,
                 entry);
}

static uint8_t *encode_ranges(uint8_t *bytes, const ss_state *state,
                              const ss_ranges *ranges, unsigned lane)
{
    for (size_t i = 0; i < ranges->count; i++) {
        ss_bits_store(bytes, 8, ranges->at[i].first);
        ss_bits_store(bytes + 8, 8, ranges->at[i].end);
        if (state->is_extended)
            ss_bits_store(bytes + STATE_RANGE_BYTES, 8, lane);
        bytes +=
            state->is_extended ? STATE_LANED_RANGE_BYTES : STATE_RANGE_BYTES;
    }
    return bytes;
}

static void encode_lanes(const ss_state *state, uint8_t *bytes)
{
    for (unsigned i = 0; i < SS_LANES; i++) {
        uint8_t *to = bytes + STATE_HEADER_BYTES + i * STATE_LANE_BYTES;
        ss_bits_store(to, 8, state->lanes[i].read_item);
        ss_bits_store(to + 8, 8, state->lanes[i].read_position);
        ss_bits_store(to + 16, 8, state->lanes[i].unacked_items);
    }
    ss_bits_store(bytes + STATE_AT_FORGOTTEN, 8, state->forgotten_count);
}

static void encode_runs(const ss_state *state, uint8_t *bytes)
{
    for (size_t i = 0; i < state->run_count; i++, bytes += STATE_RUN_BYTES) {
        const ss_state_run *run = &state->runs[i];
        ss_bits_store(bytes, 8, run->name.number);
        ss_bits_store(bytes + 8, 8, run->name.count);
        ss_bits_store(bytes + 16, 8, run->name.floor);
        ss_bits_store(bytes + 24, 8, run->name.lane);
        ss_bits_store(bytes + 32, 8, run->next);
        ss_bits_store(bytes + 40, 8, (uint64_t)run->shift_ns);
    }
}

static void encode_delayed(const ss_state *state, uint8_t *bytes)
{
    uint8_t *to = bytes + ss_state_at_runs(state->is_polite);
    ss_bits_store(to, 8, state->run_count);
    for (unsigned i = 0; i < SS_LANES; i++)
        ss_bits_store(to + STATE_DELAYED + 8 * i, 8,
                      state->lanes[i].delayed_items);
    ss_bits_store(to + STATE_NEXT_RUN, 8, state->next_run);
}

static uint8_t version_of(const ss_state *state)
{
    if (state->has_runs)
        return state->is_polite ? 8 : 7;
    if (state->is_polite)
        return state->has_moved ? 6 : 5;
    if (state->has_turns)
        return 4;
    return state->is_extended ? 3 : 2;
}

static void encode_header(const ss_state *state, uint32_t log_id,
                          uint8_t *bytes)
{
    uint64_t numbers[9];
    memcpy(bytes, ss_state_magic, sizeof ss_state_magic);
    bytes[sizeof ss_state_magic] = version_of(state);
    ss_bits_store(bytes + 8, 8, log_id);
    list_numbers(state, numbers);
    for (int i = 0; i < 9; i++)
        ss_bits_store(bytes + 16 + 8 * i, 8, numbers[i]);
    memcpy(bytes + STATE_AT_BOOT, state->written.boot_id, SS_CLOCK_BOOT_BYTES);
    ss_bits_store(bytes + STATE_AT_STEADY, 8, state->written.steady_ns);
    ss_bits_store(bytes + STATE_AT_WALL, 8, state->written.wall_seconds);
    if (state->is_extended)
        encode_lanes(state, bytes);
    if (state->has_runs)
        encode_delayed(state, bytes);
    if (!state->is_polite)
        return;
    ss_bits_store(bytes + STATE_AT_HOSTS, 8, state->hosts_bytes);
    ss_bits_store(bytes + STATE_AT_HOSTS + 8, 8, state->over_budget);
}

void ss_state_encode(const ss_state *state, uint32_t log_id, uint8_t *bytes)
{
    uint8_t *next = bytes + header_bytes_of(state);
    encode_header(state, log_id, bytes);
    for (size_t i = 0; i < state->entry_count && state->entries != NULL; i++)
        encode_entry(state, next + i * STATE_ENTRY_BYTES, &state->entries[i]);
    next += state->entry_count * STATE_ENTRY_BYTES;
    for (unsigned i = 0; i < SS_LANES; i++)
        next = encode_ranges(next, state, &state->lanes[i].ranges, i);
    for (unsigned i = 0; i < SS_LANES; i++)
        next = encode_ranges(next, state, &state->lanes[i].gone,
                             i + STATE_GONE_LANE);
    for (size_t i = 0; i < state->forgotten_count;
         i++, next += STATE_HASH_BYTES)
        ss_bits_store(next, 8, state->forgotten[i]);
    encode_runs(state, next);
    next += state->run_count * STATE_RUN_BYTES;
    if (state->is_polite) {
        if (state->hosts != NULL)
            memcpy(next, state->hosts, state->hosts_bytes);
        next += state->hosts_bytes;
    }
    ss_bits_store(next, 4, ss_crc32c(bytes, (size_t)(next - bytes)));
}
