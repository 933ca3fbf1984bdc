/*
 * state.h - which items are done, as of a position in the log.
 *
 * Below the reader's item everything is done except the entries. From there on
 * nothing is done except the ranges, which were acked before a restart and not
 * read again yet. Both lists are short, however long the queue is.
 *
 *     state-<position>, little-endian
 *      0  magic "SEENSTA\2"          72  entry count (8)
 *      8  log id (4)                 80  range count (8)
 *     12  zero (4)                   88  id of the boot it was written in (16)
 *     16  position (8)              104  the steady clock then, in ns (8)
 *     24  next item number (8)      112  the wall clock then, in seconds (8)
 *     32  reader's item (8)         120  entries, 32 bytes each
 *     40  reader's position (8)          ranges, 16 bytes each
 *     48  URLs dropped as seen (8)       crc32c of all before (4)
 *     56  URLs refused when full (8)
 *     64  lines refused as not a URL (8)
 *
 *     entry: item (8), position of its record (8), due on the steady clock
 *     in ns (8), deliveries (4), 1 if under a lease (4)
 *     range: first item (8), item after the last (8)
 *
 * Version 1 does not have bytes 88 to 119: its entries begin at 88, and it is
 * not known which boot their times are of.
 *
 * Version 3 is that of a queue whose manifest is of version 3 or 4. Where
 * readers are, bytes 32 to 47, is zero, and the entries begin at 368:
 *
 *    120  for each priority from 0 to 9: reader's item (8), reader's position
 *         (8), items that are not acked (8)
 *    360  hashes of URLs that were forgotten (8)
 *    368  entries: byte 28 is 1 if under a lease, byte 29 how much its turn is
 *         above its deliveries, mod 256 (0 unless the manifest is of version
 *         4), 30 and 31 are the priority. The turn is below 256 (leases.h)
 *         ranges, 24 bytes each: those of version 2, and the priority (8)
 *         hashes, 8 bytes each
 *
 * Version 4 is that of a queue whose manifest is of version 5. It is version 3,
 * but byte 28 of an entry is twice its priority, and 1 more under a lease;
 * bytes 29 to 31 are its turn.
 *
 * Version 5 is that of a polite queue. It is version 4, but has two more
 * numbers at 368, and its entries begin at 384:
 *
 *    368  bytes of hosts (8)
 *    376  URLs refused for a budget (8)
 *    384  entries, no ranges, hashes
 *         hosts: frontier/hosts_bytes.h
 *
 * An entry is due at 0 if that is over, and its host knows of it. It has no
 * readers: each priority has the same item and position there, those
 * of the oldest item that is not acked, or else the state's. Items from there
 * on are done if the log says so. Entries are not before it.
 *
 * Version 6 is that of a polite queue whose items may have been moved in the
 * log (record.h). It is version 5, but items and positions need not ascend
 * together: entries may be before the item that the lanes have, which is that
 * of the record there, of whatever type. That record is at or before those of
 * all items that are not acked.
 *
 * Version 7 is that of a queue that has items in runs (delayed/run.h), and is
 * not polite. It is version 4, but its entries begin at 464:
 *
 *    368  runs (8)
 *    376  for each priority from 0 to 9: items in its runs that are neither
 *         taken nor done (8)
 *    456  a number that no run has, nor one had before (8)
 *    464  entries, ranges, hashes
 *         runs, 48 bytes each, by number: number (8), records (8), lowest
 *         position (8), lane (4), zero (4), records that are taken (8), what is
 *         added to due times in ns, signed (8)
 *
 * Version 8 is that of a polite queue that has items in runs. It is version 6,
 * and has the numbers of version 7 from 384 on, so its entries begin at 480;
 * its runs are before its hosts. It has no ranges: which items of the runs are
 * done follows from the log. The positions in runs are those of the time when
 * they were written.
 *
 * A range whose priority is 16 more is of items below the reader that are done,
 * and may be in runs. Below the reader everything is done but the entries, and
 * the items in runs that are not in such a range.
 *
 * Each lane is as if it were alone: what is said of the reader above holds for
 * items of its priority. The reader of a lane in which nothing waits is at the
 * state's position.
 */
#ifndef SS_ITEMS_STATE_H
#define SS_ITEMS_STATE_H

#include "items/delayed/run.h"
#include "items/moment.h"
#include "items/ranges.h"
#include "log/record.h"

typedef struct ss_state_entry {
    uint64_t item, position, due_ns;
    uint32_t deliveries;
    uint32_t turn; /* of its lease */
    bool is_held;
    unsigned lane;
} ss_state_entry;

/* A lane (items.h): where its reader is, and how many items are not acked. */
typedef struct ss_state_lane {
    uint64_t read_item, read_position;
    uint64_t unacked_items;
    uint64_t delayed_items; /* of these, in runs */
    ss_ranges ranges;
    ss_ranges gone; /* in runs, and done */
} ss_state_lane;

/* A run, and how far it is. */
typedef struct ss_state_run {
    ss_run_name name;
    uint64_t next;
    int64_t shift_ns; /* at most SS_STATE_MOST_SHIFT_NS, or as far below 0 */
} ss_state_run;

#define SS_STATE_MOST_SHIFT_NS (INT64_MAX / 4)
#define SS_STATE_MOST_RUNS (UINT64_C(1) << 62) /* numbers of runs are below */

typedef struct ss_state {
    uint64_t position, next_item;
    ss_state_lane lanes[SS_LANES];
    uint64_t dropped_items, refused_items, not_url_items;
    bool is_dated; /* false: `written` is not known, version 1 */
    ss_moment written;
    ss_state_entry *entries; /* by item, ascending; see ss_state_put_entry */
    size_t entry_count;
    bool is_extended;    /* version 3 or 4 */
    bool has_turns;      /* version 4 */
    uint64_t *forgotten; /* hashes of URLs that were forgotten */
    size_t forgotten_count;
    bool is_polite; /* version 5, 6 or 8 */
    bool has_moved; /* version 6 or 8 */
    uint64_t over_budget;
    bool has_runs; /* version 7 or 8 */
    ss_state_run *runs;
    size_t run_count;
    uint64_t next_run;
    uint8_t *hosts; /* bytes; NULL in ss_state_encode: they are there */
    size_t hosts_bytes;
} ss_state;

void ss_state_free(ss_state *state, const ss_memory *memory);

/* The oldest position of the log that is still needed. */
uint64_t ss_state_floor(const ss_state *state);

/* How many items of the lane wait: they are not acked, and no entries. */
uint64_t ss_state_waiting(const ss_state *state, unsigned lane);

/* The size of the file. */
size_t ss_state_bytes(const ss_state *state);

/* Writes an entry at its place in the file's bytes. So that a long list is not
 * in memory twice, ss_state_encode takes those that are there if
 * state->entries is NULL. */
void ss_state_put_entry(const ss_state *state, uint8_t *bytes, size_t index,
                        const ss_state_entry *entry);

/* Where the hosts go in them. */
size_t ss_state_hosts_at(const ss_state *state);

/* Writes the file's bytes, as version 2 to 8. */
void ss_state_encode(const ss_state *state, uint32_t log_id, uint8_t *bytes);

/* Returns 0, SEENSET_EDAMAGED or SEENSET_ENOMEM. */
int ss_state_decode(ss_state *out, const ss_memory *memory, uint32_t log_id,
                    const uint8_t *bytes, size_t size_bytes);

#endif
