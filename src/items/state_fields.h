/*
 * state_fields.h - the bytes of a state (state.h), for its writer and its
 * reader: where its numbers are, and how long its lists make it.
 */
#ifndef SS_ITEMS_STATE_FIELDS_H
#define SS_ITEMS_STATE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/record.h"

enum {
    STATE_OLD_HEADER_BYTES = 88, /* of version 1 */
    STATE_AT_READER = 32,
    STATE_AT_BOOT = 88,
    STATE_AT_STEADY = 104,
    STATE_AT_WALL = 112,
    STATE_HEADER_BYTES = 120,
    STATE_LANE_BYTES = 24,
    STATE_AT_FORGOTTEN = STATE_HEADER_BYTES + SS_LANES * STATE_LANE_BYTES,
    STATE_EXTENDED_HEADER_BYTES = STATE_AT_FORGOTTEN + 8,
    STATE_AT_HOSTS = STATE_EXTENDED_HEADER_BYTES,
    STATE_POLITE_HEADER_BYTES = STATE_AT_HOSTS + 16,
    STATE_DELAYED = 8, /* after the number of runs; then */
    STATE_NEXT_RUN = STATE_DELAYED + 8 * SS_LANES,
    STATE_RUNS_BYTES = STATE_NEXT_RUN + 8,
    STATE_RUN_BYTES = 48,
    STATE_GONE_LANE = 16, /* more than the lane */
    STATE_ENTRY_BYTES = 32,
    STATE_RANGE_BYTES = 16,
    STATE_LANED_RANGE_BYTES = 24,
    STATE_HASH_BYTES = 8,
    STATE_CRC_BYTES = 4
};

static const uint8_t ss_state_magic[7] = {'S', 'E', 'E', 'N', 'S', 'T', 'A'};

/* Where the number of runs is, if there is one. */
static inline size_t ss_state_at_runs(bool is_polite)
{
    return is_polite ? STATE_POLITE_HEADER_BYTES : STATE_EXTENDED_HEADER_BYTES;
}

/* What a file consists of. */
typedef struct ss_state_shape {
    bool is_extended, has_turns, is_polite, has_moved, has_runs;
    size_t header_bytes, range_bytes;
    uint64_t entries, ranges, hashes, runs, hosts;
} ss_state_shape;

static inline uint64_t ss_state_file_bytes(const ss_state_shape *of)
{
    return of->header_bytes + of->entries * STATE_ENTRY_BYTES +
           of->ranges * of->range_bytes + of->hashes * STATE_HASH_BYTES +
           of->runs * STATE_RUN_BYTES + of->hosts + STATE_CRC_BYTES;
}

#endif
