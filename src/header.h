/*
 * header.h - the first bytes of a file, as numbers that can be trusted.
 *
 * docs/format.md gives every byte. Decoding is one call that checks all it
 * hands out: a header that comes out of ss_header_decode describes tables of
 * legal shapes whose payloads lie inside the file, exactly where the shapes
 * say. Nothing above needs to doubt it again.
 *
 * Version 1 holds one table of the first two layouts; it is written wherever
 * it is enough. Version 2 holds everything.
 */
#ifndef SS_HEADER_H
#define SS_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "set.h"

enum {
    SS_HEADER_FIXED_BYTES = 128,
    SS_HEADER_BYTES = SS_HEADER_FIXED_BYTES + 64, /* of version 1 */
    SS_HEADER_MOST_BYTES = SS_HEADER_FIXED_BYTES + 128 * SS_MOST_GENERATIONS
};

/* One table in the file. */
typedef struct ss_record {
    uint64_t size_bits;
    uint32_t hash_count;
    uint64_t capacity_items;
    double fp_rate;
    uint64_t added_items;
    uint64_t started_seconds;
    uint64_t payload_offset;
    uint64_t payload_bytes;
    uint64_t payload_checksum; /* XXH3-64 of the payload */
    ss_fuse_shape fuse;        /* sealed tables */
} ss_record;

typedef struct ss_header {
    seenset_layout layout;
    ss_kind kind;        /* but for the secret and the caller's function */
    uint64_t hash_check; /* what the writer's hash made of "seenset" */
    uint32_t place_bits; /* 1, or those of a counter */
    uint32_t generation_count;
    ss_record records[SS_MOST_GENERATIONS];
} ss_header;

/* What a set's header will say, but for the checksums of its payloads. */
void ss_header_describe(ss_header *header, const seenset *set);

/* The length of the header, and of the whole file. */
size_t ss_header_bytes(const ss_header *header);
uint64_t ss_header_file_bytes(const ss_header *header);

/* How many bytes of header the fixed part (whole, unchecked) speaks of; never
 * more than SS_HEADER_MOST_BYTES. */
size_t ss_header_claimed_bytes(const uint8_t fixed[SS_HEADER_FIXED_BYTES]);

/* Writes ss_header_bytes bytes. */
void ss_header_encode(const ss_header *header, uint8_t *bytes);

/*
 * Decodes the first size_bytes bytes (no more than SS_HEADER_MOST_BYTES are
 * needed) of a file that is file_bytes long. Returns 0, or the error that
 * seenset_open documents with *report telling the offset and the reason.
 */
int ss_header_decode(ss_header *header, const uint8_t *bytes, size_t size_bytes,
                     uint64_t file_bytes, seenset_report *report);

/* Does it describe a set that these options make? */
bool ss_header_fits(const ss_header *header, const seenset_options *options);

/* Refuses the payload of a record by its checksum, or for bits set past the
 * end of the table in its last line (last_line: its 64 bytes). */
int ss_header_check_payload(const ss_header *header, const ss_record *record,
                            uint64_t checksum, const uint8_t *last_line,
                            seenset_report *report);

/* Tells where and why, and returns the error: for `return refuse(...)`. */
int ss_header_refuse(seenset_report *report, int error, uint64_t offset,
                     const char *reason);

#endif
