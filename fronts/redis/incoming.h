/*
 * incoming.h - a set's file that comes in chunks.
 *
 * Memory is taken for what has come, never for what is announced. The set is
 * made once all chunks are there and every checksum was checked.
 */
#ifndef SEENSET_REDIS_INCOMING_H
#define SEENSET_REDIS_INCOMING_H

#include "value.h"

/*
 * Adds the len bytes at `bytes`, which are those from offset on of a file of
 * total_bytes. Offset 0 begins anew, and drops what had come before.
 * Returns 0; SEENSET_EINVAL (no bytes, past the end, or another total than
 * before), SEENSET_EMISMATCH (offset is not done_bytes) or SEENSET_ENOMEM. On
 * error what has come stays.
 */
int sr_incoming_add(sr_incoming *incoming, uint64_t offset,
                    uint64_t total_bytes, const void *bytes, size_t len);

/*
 * Makes the set of a file that has come whole. secret may be NULL.
 * Returns 0, or an error of seenset_open_bytes, which report explains.
 */
int sr_incoming_open(const sr_incoming *incoming, const uint8_t *secret,
                     seenset **set, seenset_file_report *report);

#endif
