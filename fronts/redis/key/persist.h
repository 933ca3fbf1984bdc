/*
 * persist.h - a value in the server's files: snapshots, the log of commands,
 * DUMP and replication; and its digest.
 *
 * A snapshot has, for each key:
 *
 *     number    flags: 1 keyed, 2 has a set, 4 is being loaded, 8 has a chain,
 *               16 has a list of sets
 *     number    expansion, for BF.INFO
 *     string    keyed: the secret, 16 bytes
 *     strings   has a set: together its file, as docs/format.md has it
 *     number    has a chain: the length of header and bits
 *     strings   and those bytes (key/foreign/chain.h)
 *     number    their sum: key/persist_parts.h
 *     the same  has a list of sets (key/foreign/cuckoo.h)
 *     numbers   is being loaded: total and done bytes
 *     strings   and those bytes
 *
 * The file's own checksums are checked before a key gets the set. A log that is
 * rewritten has the same file in SEEN.LOAD commands, and a filter in
 * RedisBloom's form in BF.LOADCHUNK commands.
 */
#ifndef SEENSET_REDIS_PERSIST_H
#define SEENSET_REDIS_PERSIST_H

#include "key/value.h"

enum {
    SR_ENCODING_VERSION = 1
};

void *sr_rdb_load(RedisModuleIO *rdb, int encoding_version);
void sr_rdb_save(RedisModuleIO *rdb, void *value);
void sr_aof_rewrite(RedisModuleIO *aof, RedisModuleString *key, void *value);
void sr_digest(RedisModuleDigest *digest, void *value);

#endif
