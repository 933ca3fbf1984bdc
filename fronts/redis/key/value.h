/*
 * value.h - what a key of this module holds: a set, and what is being loaded.
 *
 * BF.* and SEEN.* share one type of values, so each works on the other's keys.
 * Only a filter that came from RedisBloom or valkey-bloom, a chain, is for BF.*
 * alone, and a list of sets of fingerprints for CF.*.
 * A key that SEEN.LOAD or a LOADCHUNK has begun, and not finished, has the
 * chunks so far; if it was new, it has no set yet, and commands that need one
 * say so. It never answers "not there" for want of a set.
 */
#ifndef SEENSET_REDIS_VALUE_H
#define SEENSET_REDIS_VALUE_H

#include "key/foreign/chain.h"
#include "key/foreign/cuckoo.h"
#include "seenset/seenset.h"
#include "server/api.h"

/* A set's file of which the first done_bytes have come. */
typedef struct sr_incoming {
    uint8_t *bytes; /* NULL: nothing is being loaded */
    uint64_t done_bytes, room_bytes, total_bytes;
} sr_incoming;

typedef struct sr_value {
    /* One of the three; none: not loaded whole yet. */
    seenset *set;
    sr_chain *chain;
    sr_cuckoo *cuckoo;
    sr_incoming incoming;
    /* What BF.INFO reports: as it was reserved; 0: the filter does not grow. */
    uint64_t expansion;
    int is_keyed; /* 1: secret is the set's */
    uint8_t secret[SEENSET_SECRET_BYTES];
} sr_value;

#define SR_MAX_EXPANSION 32768

/* What a set is planned for at first, if nobody says: it grows from there. */
#define SR_DEFAULT_CAPACITY 1000

/* The type's name, in files and for TYPE: nine characters. */
#define SR_TYPE_NAME "seenset-1"

/* The type, once sr_type_create has made it. */
RedisModuleType *sr_type(void);
int sr_type_create(RedisModuleCtx *ctx);

/* An empty value, or NULL: no memory. */
sr_value *sr_value_new(void);

/* Frees the value, its set and what is being loaded. NULL: does nothing. */
void sr_value_free(sr_value *value);

/* A copy with a set of its own, or NULL: no memory. */
sr_value *sr_value_copy(const sr_value *value);

/* The bytes of the value, all it has. */
size_t sr_value_bytes(const sr_value *value);

/* What BF.INFO reports of a set that was not reserved with an expansion. */
uint64_t sr_value_growth(const seenset *set);

/* How many values there are now. */
uint64_t sr_value_count(void);

/* Drops what is being loaded. */
void sr_incoming_drop(sr_incoming *incoming);

#endif
