/*
 * header.h - the first bytes of a file, as numbers that can be trusted.
 *
 * docs/format.md gives every byte. Decoding is one call that checks all it
 * hands out: a header that comes out of ss_header_decode describes tables of
 * legal shapes whose payloads lie inside the file, exactly where the shapes
 * say. Nothing above needs to doubt it again.
 *
 * Version 3 is what most sets are written in. After its payloads comes a table
 * with the sum of each block of them, so that a view can check a block when it
 * first touches it. Versions 1 (one table of the first two layouts) and 2
 * (every kind) have none; they are read for ever. Version 4 is version 3 with
 * the arguments of a scheme, and is for sets that have some, or a scheme that
 * came with it: all others stay readable by older libraries. Version 5 is
 * version 3 for the layouts that came with it, and version 6 is version 4 with
 * a layout for each table, for sets one of whose tables grows in place, and for
 * layouts of version 5 with a seed. Version 7 is version 6 for sealed sets
 * whose fingerprints are packed.
 */
#ifndef SS_FILE_HEADER_HEADER_H
#define SS_FILE_HEADER_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expand/image/image.h"
#include "hash/block_sum.h"
#include "set/set.h"

enum {
    SS_HEADER_VERSION = 7, /* the last */
    SS_HEADER_FIXED_BYTES = 128,
    SS_HEADER_BYTES = SS_HEADER_FIXED_BYTES + 64, /* of version 1 */
    /* what follows the records in version 4: four fields and 255 seeds at most,
     * in whole lines */
    SS_HEADER_ARGUMENTS_MAX_BYTES = 1088,
    SS_HEADER_MAX_BYTES = SS_HEADER_FIXED_BYTES + 128 * SS_MAX_TABLES +
                          SS_HEADER_ARGUMENTS_MAX_BYTES
};

/* One table in the file. */
typedef struct ss_table_record {
    uint64_t size_bits;
    uint32_t hash_count;
    uint64_t capacity_items;
    double fp_rate;
    uint64_t added_items;
    uint64_t started_seconds;
    uint64_t noticed_seconds;
    uint64_t payload_offset;
    uint64_t payload_bytes;
    uint64_t payload_checksum; /* XXH3-64 of the payload */
    uint64_t first_block;      /* of the payload, counted over all of them */
    ss_fuse_shape fuse;        /* sealed tables */
    bool is_expandable;        /* it grows in place: all of its shape is */
    ss_image_shape image;
} ss_table_record;

typedef struct ss_header {
    uint32_t version;      /* 1 to 7 */
    bool has_journal;      /* more keys are in a file beside it (journal.h) */
    uint64_t checksum;     /* of a header that was decoded: the journal's set */
    seenset_layout layout; /* of all tables but those that grow in place */
    ss_set_params kind;    /* but for the secret and the caller's function */
    uint64_t hash_check;   /* what the writer's hash made of "seenset" */
    uint32_t cell_bits;    /* 1, or those of a counter */
    uint64_t sums_offset;  /* from version 3 on: of the table of sums, */
    uint64_t block_count;  /* its length, SS_SUM_BYTES for each block, */
    uint64_t sums_checksum; /* and its XXH3-64; else 0 */
    uint32_t generation_count;
    ss_table_record records[SS_MAX_TABLES];
    uint32_t seeds[SEENSET_MAX_HASH_COUNT]; /* of a header that was decoded */
} ss_header;

/* May tables that grow in place be among its own? */
static inline bool ss_header_has_images(const ss_header *header)
{
    return header->version == 6;
}

/* What a set's header will say, but for the checksums of its payloads and of
 * their sums. */
void ss_header_describe(ss_header *header, const seenset *set);

/* Says where payloads and sums are: each after the one before, without gaps.
 * The version and the shapes of the tables are given. */
void ss_header_place(ss_header *header);

/* The length of the header, and of the whole file. */
size_t ss_header_bytes(const ss_header *header);
uint64_t ss_header_file_bytes(const ss_header *header);

/* How many bytes of header the fixed part (whole, unchecked) speaks of; never
 * more than SS_HEADER_MAX_BYTES. */
size_t ss_header_claimed_bytes(const uint8_t fixed[SS_HEADER_FIXED_BYTES]);

/* How long the whole file is by the fixed part (whole, unchecked). */
uint64_t
ss_header_claimed_file_bytes(const uint8_t fixed[SS_HEADER_FIXED_BYTES]);

/* Writes ss_header_bytes bytes, in the header's version. */
void ss_header_encode(const ss_header *header, uint8_t *bytes);

/*
 * Decodes the first size_bytes bytes (no more than SS_HEADER_MAX_BYTES are
 * needed) of a file that is file_bytes long. Returns 0, or the error that
 * seenset_open documents with *report telling the offset and the reason.
 */
int ss_header_decode(ss_header *header, const uint8_t *bytes, size_t size_bytes,
                     uint64_t file_bytes, seenset_file_report *report);

/* 0, or SEENSET_ENOMEM: no program on this machine has so many addresses, with
 * the number in the report. */
int ss_header_check_room(const ss_header *header, seenset_file_report *report);

/* Can such a set have a journal? Only hashes are in one, and a sealed table
 * takes none. */
bool ss_header_can_journal(const ss_header *header);

/* Does it describe a set that these options make? */
bool ss_header_fits(const ss_header *header, const seenset_options *options);

/* Refuses the payload of a record by its checksum, or for bits set past the
 * end of the table in its last line (last_line: its 64 bytes). */
int ss_header_check_payload(const ss_header *header,
                            const ss_table_record *record, uint64_t checksum,
                            const uint8_t *last_line,
                            seenset_file_report *report);

/* Tells where and why, and returns the error: for `return refuse(...)`. */
int ss_header_refuse(seenset_file_report *report, int error, uint64_t offset,
                     const char *reason);

/* The same after a system call: SEENSET_EIO, and errno is the reason. */
int ss_header_refuse_errno(seenset_file_report *report, uint64_t offset);

#endif
