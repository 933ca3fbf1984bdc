/*
 * sums.h - the table of sums of a file, and blocks checked by it.
 *
 * The table follows the last payload: for each 4096 bytes of the payloads eight
 * bytes. It is read in pieces, so that checking a file takes constant memory.
 * A file of version 1 or 2 has none, and every block of it passes.
 */
#ifndef SS_FILE_SUMS_H
#define SS_FILE_SUMS_H

#include "base/io.h"
#include "file/header/header.h"

enum {
    SS_SUMS_HELD_BYTES = 4096
};

typedef struct ss_sums {
    const ss_header *header;
    const ss_io *io; /* the file, open at fd, or */
    int fd;
    const uint8_t *bytes; /* the whole file in memory, unless NULL */
    const uint8_t *table; /* or the table of sums, unless NULL */
    uint64_t first_held;  /* the block whose sum is the first held */
    uint64_t held_count;
    uint8_t held[SS_SUMS_HELD_BYTES];
} ss_sums;

/* Checks the table itself by its checksum. header, and io and fd, bytes or
 * table are given. 0, or SEENSET_ECORRUPT, SEENSET_ETRUNCATED or SEENSET_EIO.
 */
int ss_sums_start(ss_sums *sums, seenset_file_report *report);

/* Checks the blocks of a payload's bytes from `done` on, a multiple of a
 * block's; the last may be shorter. The report names the first bad one. */
int ss_sums_check(ss_sums *sums, const ss_table_record *record, uint64_t done,
                  const uint8_t *bytes, size_t size_bytes,
                  seenset_file_report *report);

#endif
