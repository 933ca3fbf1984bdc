/*
 * cuckoo.h - what CF.* call a filter: sets of fingerprints, a list of them.
 *
 * Keys can be added several times, counted and taken out. When no set has room,
 * a set of at least twice the capacity is added, up to 32. A key goes to the
 * first that has room, so what was taken out is filled again.
 *
 * Set number i keeps the first b_i bits of a key's hash, no more and no less:
 * it is given the hash with the bits after those cleared, and is so planned
 * that hashes which differ in the first b_i bits have different fingerprints.
 * No b is less than that of the set before. So two keys that are one in a set
 * are one in all sets before it. That is why keys can be taken out of a list at
 * all: the slot that is taken out is one of the newest set that has the key,
 * the finest one, and if it was another key's, then that one has the slot that
 * was this key's, in an older set. No key that is still there is ever
 * forgotten.
 *
 * With capacity n_i and b_i bits a set's rate is n_i / 2^b_i. b_i is the least
 * that makes it at most p / ((i + 1) (i + 2)), and those have the sum p, as
 * long as the list may be.
 *
 * As bytes, little-endian: a header, and then the file of each set.
 *
 *     "SSETCUCK"
 *     u64 items that are there, items that were taken out, buckets
 *     u32 bucket size, iterations, expansion, sets
 *     each set: u64 bytes of its file, slots in use; u32 b, 0
 *     u64 sum of the header so far (key/persist_parts.h)
 */
#ifndef SEENSET_REDIS_KEY_FOREIGN_CUCKOO_H
#define SEENSET_REDIS_KEY_FOREIGN_CUCKOO_H

#include <stdbool.h>

#include "seenset/seenset.h"

enum {
    SR_CUCKOO_MAX_PARTS = 32,
    SR_CUCKOO_HEAD_BYTES = 48, /* without its sets and its sum */
    SR_CUCKOO_PART_BYTES = 24,
    SR_CUCKOO_MAX_HEAD_BYTES =
        SR_CUCKOO_HEAD_BYTES + SR_CUCKOO_MAX_PARTS * SR_CUCKOO_PART_BYTES + 8
};

#define SR_CUCKOO_RATE 0.01
#define SR_CUCKOO_MAX_CAPACITY (UINT64_C(1) << 53)

/* What CF.RESERVE was told. */
typedef struct sr_cuckoo_options {
    uint64_t capacity; /* 2 bucket_size at least */
    uint32_t bucket_size, max_iterations;
    uint32_t expansion; /* 0: the filter does not grow */
} sr_cuckoo_options;

typedef struct sr_cuckoo_part {
    seenset *set;
    uint64_t capacity, slots; /* slots in use, at most */
    uint32_t bits;
} sr_cuckoo_part;

typedef struct sr_cuckoo {
    uint64_t inserted, deleted; /* as CF.INFO has them */
    uint64_t buckets;
    uint32_t bucket_size, max_iterations, expansion;
    uint32_t count;
    sr_cuckoo_part parts[SR_CUCKOO_MAX_PARTS];
} sr_cuckoo;

/* Slots that the first set is to have: RedisBloom's, whose buckets are a power
 * of two. UINT64_MAX: more than a set can have. */
uint64_t sr_cuckoo_first_capacity(const sr_cuckoo_options *options);

/* About what the first set takes; 0 where sr_cuckoo_new will refuse. */
uint64_t sr_cuckoo_planned_bytes(const sr_cuckoo_options *options);

/* Returns 0, SEENSET_ETOOBIG, SEENSET_ERATE or SEENSET_ENOMEM. */
int sr_cuckoo_new(sr_cuckoo **out, const sr_cuckoo_options *options);
void sr_cuckoo_free(sr_cuckoo *cuckoo);
sr_cuckoo *sr_cuckoo_copy(const sr_cuckoo *cuckoo);
uint64_t sr_cuckoo_bytes(const sr_cuckoo *cuckoo);

/* 1 or 0. */
int sr_cuckoo_has(const sr_cuckoo *cuckoo, const seenset_key *key);

/* How often the key is there; a copy after SEENSET_MAX_COPIES may not count. */
uint64_t sr_cuckoo_count(const sr_cuckoo *cuckoo, const seenset_key *key);

/* Adds a key, or one copy more of it. It grows to most_parts sets, and never
 * beyond SR_CUCKOO_MAX_PARTS. Returns 1; SEENSET_EFULL (no room, and it
 * does not grow), SEENSET_ETOOBIG (nor can it any more), SEENSET_ERATE or
 * SEENSET_ENOMEM. On error it is unchanged. */
int sr_cuckoo_add(sr_cuckoo *cuckoo, const seenset_key *key,
                  uint32_t most_parts);

/* Takes out one copy. Returns 1, or 0: it is not there. */
int sr_cuckoo_remove(sr_cuckoo *cuckoo, const seenset_key *key);

/* Whether a set of that shape tells apart hashes that differ in the first
 * `bits` bits. */
bool sr_cuckoo_keeps(uint64_t size_bits, uint32_t hash_count, uint32_t bits);

/* ---- as bytes ---- */

/* Writes the header, and returns its length. */
size_t sr_cuckoo_write_head(const sr_cuckoo *cuckoo,
                            uint8_t head[SR_CUCKOO_MAX_HEAD_BYTES]);

/* The length of a sound header at the start of len bytes, and in *body_bytes
 * that of the files after it. Returns 0: there is none. */
size_t sr_cuckoo_head(const uint8_t *bytes, size_t len, uint64_t *body_bytes);

/* The length of header and files. */
uint64_t sr_cuckoo_total_bytes(const sr_cuckoo *cuckoo);

/* Hands over header and files in pieces; write returns 0. */
void sr_cuckoo_write(const sr_cuckoo *cuckoo, seenset_write_function *write,
                     void *context);

/* Copies len bytes of the files, one after another, from `first` on. */
void sr_cuckoo_part_bytes(const sr_cuckoo *cuckoo, uint64_t first,
                          uint8_t *bytes, size_t len);

/* Makes a filter of a header and all its files. Returns 0, SEENSET_ECORRUPT,
 * SEENSET_ENOMEM or an error of seenset_open_bytes, which report explains. */
int sr_cuckoo_open(sr_cuckoo **out, const uint8_t *bytes, uint64_t len,
                   seenset_file_report *report);

#endif
