/*
 * persist.h - a partition in the server's files.
 *
 * A snapshot has, for each key:
 *
 *     number    flags: 1 it is whole, 2 it is being loaded
 *     whole:    the number of its bytes (bytes.h), and those as strings
 *     loaded:   total and done bytes, and those that have come as strings
 *
 * A log that is rewritten has the same bytes in VISIT.LOAD commands.
 */
#ifndef SEENSET_REDIS_VISIT_BYTES_PERSIST_H
#define SEENSET_REDIS_VISIT_BYTES_PERSIST_H

#include "visit/partition/visit.h"

enum {
    SR_VISIT_ENCODING_VERSION = 1,
    SR_VISIT_IS_WHOLE = 1,
    SR_VISIT_IS_LOADED = 2
};

void *sr_visit_rdb_load(RedisModuleIO *rdb, int encoding_version);
void sr_visit_rdb_save(RedisModuleIO *rdb, void *value);
void sr_visit_aof_rewrite(RedisModuleIO *aof, RedisModuleString *key,
                          void *value);
void sr_visit_digest(RedisModuleDigest *digest, void *value);

#endif
