/*
 * incoming.h - a set's file, or a dump, that comes in chunks.
 *
 * Memory is taken for what has come, never for what is announced. The set is
 * made once all chunks are there and every checksum was checked.
 */
#ifndef SEENSET_REDIS_INCOMING_H
#define SEENSET_REDIS_INCOMING_H

#include <stdbool.h>

#include "key/value.h"

/*
 * Adds the len bytes at `bytes`, which are those from offset on of a file of
 * total_bytes. Offset 0 begins anew, and drops what had come before.
 * Returns 0; SEENSET_EINVAL (no bytes, past the end, or another total than
 * before), SEENSET_EMISMATCH (offset is not done_bytes) or SEENSET_ENOMEM. On
 * error what has come stays.
 */
int sr_incoming_add(sr_incoming *incoming, uint64_t offset,
                    uint64_t total_bytes, const void *bytes, size_t len);

/* What has come: one of the three. */
typedef struct sr_loaded {
    seenset *set;
    sr_chain *chain;
    sr_cuckoo *cuckoo;
    bool has_expansion;
    uint64_t expansion; /* a dump has it, a file has not */
} sr_loaded;

/*
 * Makes the set of what has come whole: a set's file, one after a header of
 * BF.SCANDUMP's, a dump of RedisBloom's or one of CF.SCANDUMP's. secret may be
 * NULL.
 * Returns 0, or an error of seenset_open_bytes, which report explains.
 */
int sr_incoming_open(const sr_incoming *incoming, const uint8_t *secret,
                     sr_loaded *loaded, seenset_file_report *report);

/* The header by which BF.SCANDUMP begins the dump of a set: eight characters,
 * then the file's length and the expansion, little-endian. */
enum {
    SR_DUMP_HEAD_BYTES = 24
};

void sr_dump_write_head(uint64_t file_bytes, uint64_t expansion,
                        uint8_t head[SR_DUMP_HEAD_BYTES]);

/* The length of the header, of either kind, that the len bytes begin with, and
 * of what follows it. Returns 0: there is none. */
size_t sr_dump_head(const uint8_t *bytes, size_t len, uint64_t *body_bytes);

#endif
