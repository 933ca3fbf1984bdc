/*
 * md5.h - the MD5 digest (R. Rivest, "The MD5 Message-Digest Algorithm",
 * RFC 1321, 1992), for filters that were made with it. It is broken: two
 * messages of one digest are easy to make.
 *
 * A message is added piece by piece. The struct is plain data: a copy of it
 * goes on from where the message was.
 */
#ifndef SS_HASH_MD5_H
#define SS_HASH_MD5_H

#include <stddef.h>
#include <stdint.h>

enum {
    SS_MD5_DIGEST_BYTES = 16,
    SS_MD5_BLOCK_BYTES = 64
};

typedef struct ss_md5 {
    uint32_t state[4];
    uint64_t size_bytes;               /* of the message so far */
    uint8_t block[SS_MD5_BLOCK_BYTES]; /* its last size_bytes % 64 bytes */
} ss_md5;

/* An empty message. */
void ss_md5_start(ss_md5 *message);

/* bytes may be NULL if size_bytes is 0. */
void ss_md5_add(ss_md5 *message, const void *bytes, size_t size_bytes);

/* The digest. The message is used up. */
void ss_md5_end(ss_md5 *message, uint8_t digest[SS_MD5_DIGEST_BYTES]);

#endif
