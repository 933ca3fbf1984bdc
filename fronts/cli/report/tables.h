/*
 * tables.h - the tables that a set file is made of, as the file has them.
 *
 * The library answers for a set as a whole. To show its parts, `info` reads
 * the file itself, by docs/format.md, after the library has opened it and so
 * checked every field.
 */
#ifndef TABLES_H
#define TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "seenset/seenset.h"

#define TABLES_MOST 256 /* that a set is made of */

typedef struct table_record {
    uint64_t size_bits;
    uint32_t hash_count;
    uint64_t capacity_items;
    double fp_rate;
    uint64_t added_items;
    uint64_t payload_offset;
    uint64_t payload_bytes;
} table_record;

typedef struct tables {
    int fd; /* -1: nothing is open */
    const char *path;
    uint32_t count;
    seenset_layout layout;
    uint32_t cell_bits; /* of what a table is made of: 1, or a counter's */
    table_record records[TABLES_MOST];
} tables;

/* Reads the header of a file that was opened as a set. Returns 0, or
 * COMMAND_ERROR after a message. tables_close undoes it. */
int tables_open(tables *out, const char *path, const seenset_stats *stats);
void tables_close(tables *opened);

/* Does the file, which was opened as a set, have a sum of each block? Those of
 * format versions 1 and 2 have not. */
bool tables_has_sums(const char *path);

/* The places of a table, bits or counters or fingerprints. */
uint64_t tables_places(const tables *from, uint32_t number);

/*
 * Stores in fills[i] which part of the i-th of `count` equal shares of a
 * table's places is not 0. Returns 0, or COMMAND_ERROR after a message.
 */
int tables_read_fills(const tables *from, uint32_t number, double *fills,
                      uint64_t count);

#endif
