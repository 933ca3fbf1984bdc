/*
 * pieces.h - bytes of a partition on their way out: what its writers share.
 */
#ifndef SEENSET_REDIS_VISIT_BYTES_PIECES_H
#define SEENSET_REDIS_VISIT_BYTES_PIECES_H

#include "key/persist_parts.h"
#include "visit/partition/visit.h"

/* Gathered until they are a whole piece. */
typedef struct sr_pieces {
    seenset_write_function *write;
    void *context;
    uint64_t sum;
    size_t used;
    uint8_t bytes[SR_CHUNK_BYTES];
} sr_pieces;

/* context: an sr_pieces. Returns 0. */
int sr_put(void *context, const void *bytes, size_t len);

/* The lowest so many bytes of a number, the lowest first. */
void sr_put_number(sr_pieces *to, uint64_t number, size_t size_bytes);

/* A block, with its head; equal lengths: it is not packed. */
void sr_put_block(sr_pieces *to, const uint8_t *bytes, uint64_t len,
                  uint64_t raw_len, uint64_t items);

/* How many blocks, and those. */
void sr_put_items(sr_pieces *to, const sr_items *items);

/* The rules and the hosts. */
void sr_put_sites(sr_pieces *to, const sr_sites *sites);

#endif
