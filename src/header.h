/*
 * header.h - the first bytes of a file, as numbers that can be trusted.
 *
 * docs/format.md gives every byte. Decoding is one call that checks all it
 * hands out: a header that comes out of ss_header_decode describes a table of
 * a legal shape whose payload lies inside the file, exactly where the shape
 * says. Nothing above needs to doubt it again.
 */
#ifndef SS_HEADER_H
#define SS_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seenset/seenset.h"

enum {
    SS_HEADER_VERSION = 1,
    SS_HEADER_FIXED_BYTES = 128,
    SS_HEADER_GENERATION_BYTES = 64,
    SS_HEADER_BYTES = SS_HEADER_FIXED_BYTES + SS_HEADER_GENERATION_BYTES
};

typedef struct ss_header {
    seenset_layout layout;
    seenset_on_full on_full;
    uint64_t size_bits;
    uint32_t hash_count;
    uint64_t capacity_items;
    double fp_rate;
    uint64_t added_items;
    uint64_t payload_bytes;    /* from size_bits; starts at SS_HEADER_BYTES */
    uint64_t payload_checksum; /* XXH3-64 of the payload */
} ss_header;

/* The bytes of the payload of a table of size_bits bits. */
uint64_t ss_header_payload_bytes(uint64_t size_bits);

void ss_header_encode(const ss_header *header, uint8_t bytes[SS_HEADER_BYTES]);

/*
 * Decodes the first size_bytes bytes (at most SS_HEADER_BYTES are looked at)
 * of a file that is file_bytes long. Returns 0, or the error that
 * seenset_open documents with *report telling the offset and the reason.
 */
int ss_header_decode(ss_header *header, const uint8_t *bytes, size_t size_bytes,
                     uint64_t file_bytes, seenset_report *report);

/* Refuses a payload by its checksum, or for bits set past size_bits in its
 * last line (last_line: its 64 bytes). */
int ss_header_check_payload(const ss_header *header, uint64_t checksum,
                            const uint8_t *last_line, seenset_report *report);

/* Tells where and why, and returns the error: for `return refuse(...)`. */
int ss_header_refuse(seenset_report *report, int error, uint64_t offset,
                     const char *reason);

#endif
