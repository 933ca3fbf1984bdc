/*
 * ops.h - what BF.* ask of a filter, be it a set or a chain.
 */
#ifndef SEENSET_REDIS_BF_OPS_H
#define SEENSET_REDIS_BF_OPS_H

#include "key/target.h"

/* Whether BF.* can ask the key. */
bool bf_is_filter(const sr_target *target);

/* As seenset_add, seenset_has and their calls for many keys. */
int bf_add_key(sr_value *value, const seenset_key *key);
int bf_has_key(const sr_value *value, const seenset_key *key);
int bf_add_keys(sr_value *value, const seenset_key *keys, size_t count,
                uint8_t *answers);
int bf_has_keys(const sr_value *value, const seenset_key *keys, size_t count,
                uint8_t *answers);

/* A table of the set, or a link of the chain. */
typedef struct bf_table {
    uint64_t bytes, bits, capacity, items;
    uint32_t hashes;
    double rate;
} bf_table;

uint32_t bf_table_count(const sr_value *value);
bf_table bf_get_table(const sr_value *value, uint32_t i);

/* Items that were added; of a set, keys that were new. */
uint64_t bf_items(const sr_value *value);

/* As BF.INFO has it; 0: the filter does not grow. */
uint64_t bf_expansion(const sr_value *value);

#endif
