/* persist.c - writing: snapshots, the log of commands, the digest */
#include "key/persist.h"

#include <stdbool.h>
#include <string.h>

#include "key/persist_parts.h"
#include "server/arguments.h"

static int save_chunk(void *rdb, const void *bytes, size_t len)
{
    sr_redis.save_bytes(rdb, bytes, len);
    return 0;
}

static void save_incoming(RedisModuleIO *rdb, const sr_incoming *incoming)
{
    sr_redis.save_unsigned(rdb, incoming->total_bytes);
    sr_redis.save_unsigned(rdb, incoming->done_bytes);
    for (uint64_t at = 0; at < incoming->done_bytes; at += SR_CHUNK_BYTES) {
        uint64_t left = incoming->done_bytes - at;
        sr_redis.save_bytes(
            rdb, (const char *)incoming->bytes + at,
            (size_t)(left < SR_CHUNK_BYTES ? left : SR_CHUNK_BYTES));
    }
}

/* The bytes of a chain, and how many sets a list has, have no checksum of
 * their own. */
typedef struct summing {
    RedisModuleIO *rdb;
    uint64_t sum;
} summing;

static int save_summed(void *context, const void *bytes, size_t len)
{
    summing *to = context;
    to->sum = sr_sum(to->sum, bytes, len);
    return save_chunk(to->rdb, bytes, len);
}

static void save_chain(RedisModuleIO *rdb, const sr_chain *chain)
{
    summing to = {.rdb = rdb};
    sr_redis.save_unsigned(rdb, sr_chain_total_bytes(chain));
    sr_chain_write(chain, save_summed, &to);
    sr_redis.save_unsigned(rdb, to.sum);
}

static void save_cuckoo(RedisModuleIO *rdb, const sr_cuckoo *cuckoo)
{
    summing to = {.rdb = rdb};
    sr_redis.save_unsigned(rdb, sr_cuckoo_total_bytes(cuckoo));
    sr_cuckoo_write(cuckoo, save_summed, &to);
    sr_redis.save_unsigned(rdb, to.sum);
}

static uint64_t flags_of(const sr_value *value)
{
    uint64_t flags = 0;
    flags |= value->is_keyed ? SR_FLAG_KEYED : 0u;
    flags |= value->set != NULL ? SR_FLAG_SET : 0u;
    flags |= value->incoming.bytes != NULL ? SR_FLAG_INCOMING : 0u;
    flags |= value->chain != NULL ? SR_FLAG_CHAIN : 0u;
    flags |= value->cuckoo != NULL ? SR_FLAG_CUCKOO : 0u;
    return flags;
}

void sr_rdb_save(RedisModuleIO *rdb, void *value)
{
    const sr_value *saved = value;
    const sr_incoming *incoming = &saved->incoming;
    sr_redis.save_unsigned(rdb, flags_of(saved));
    sr_redis.save_unsigned(rdb, saved->expansion);
    if (saved->is_keyed)
        sr_redis.save_bytes(rdb, (const char *)saved->secret,
                            sizeof saved->secret);
    if (saved->set != NULL)
        seenset_write(saved->set, save_chunk, rdb);
    if (saved->chain != NULL)
        save_chain(rdb, saved->chain);
    if (saved->cuckoo != NULL)
        save_cuckoo(rdb, saved->cuckoo);
    if (incoming->bytes != NULL)
        save_incoming(rdb, incoming);
}

/* SEEN.LOAD commands that make the key again, one for each chunk. */
typedef struct rewriting {
    RedisModuleIO *aof;
    RedisModuleString *key;
    const sr_value *value;
    uint64_t done_bytes, total_bytes;
} rewriting;

static int rewrite_chunk(void *context, const void *bytes, size_t len)
{
    rewriting *to = context;
    long long offset = (long long)to->done_bytes;
    long long total = (long long)to->total_bytes;
    long long expansion = (long long)to->value->expansion;
    if (to->value->is_keyed) {
        char hex[SR_SECRET_HEX_BYTES];
        sr_secret_print(to->value->secret, hex);
        sr_redis.emit_aof(to->aof, "SEEN.LOAD", "sllbclcc", to->key, offset,
                          total, bytes, len, "EXPANSION", expansion, "SECRET",
                          hex);
    } else {
        sr_redis.emit_aof(to->aof, "SEEN.LOAD", "sllbcl", to->key, offset,
                          total, bytes, len, "EXPANSION", expansion);
    }
    to->done_bytes += len;
    return 0;
}

static int append(void *context, const void *bytes, size_t len)
{
    uint8_t **end = context;
    memcpy(*end, bytes, len);
    *end += len;
    return 0;
}

/* BF.LOADCHUNK commands, as in bf/dump.c: RedisBloom can read them. Returns
 * false: no memory. */
static bool rewrite_as_dump(const rewriting *to, const sr_chain *chain)
{
    size_t len = sr_chain_head_bytes(chain);
    uint8_t *head = sr_redis.try_alloc(len), *end = head;
    if (head == NULL)
        return false;
    sr_chain_write_head(chain, append, &end);
    long long iterator = 1;
    sr_redis.emit_aof(to->aof, "BF.LOADCHUNK", "slb", to->key, iterator,
                      (const char *)head, len);
    sr_redis.free(head);
    const uint8_t *part;
    while ((part = sr_chain_part(chain, (uint64_t)iterator - 1, SR_CHUNK_BYTES,
                                 &len)) != NULL) {
        iterator += (long long)len;
        sr_redis.emit_aof(to->aof, "BF.LOADCHUNK", "slb", to->key, iterator,
                          (const char *)part, len);
    }
    return true;
}

static void rewrite_chain(rewriting *to, const sr_chain *chain)
{
    if (!sr_chain_is_valkey(chain) && rewrite_as_dump(to, chain))
        return;
    to->total_bytes = sr_chain_total_bytes(chain);
    sr_chain_write(chain, rewrite_chunk, to);
}

static void rewrite_incoming(rewriting *to, const sr_incoming *incoming)
{
    to->done_bytes = 0;
    to->total_bytes = incoming->total_bytes;
    while (to->done_bytes < incoming->done_bytes) {
        uint64_t left = incoming->done_bytes - to->done_bytes;
        rewrite_chunk(to, incoming->bytes + to->done_bytes,
                      (size_t)(left < SR_CHUNK_BYTES ? left : SR_CHUNK_BYTES));
    }
}

void sr_aof_rewrite(RedisModuleIO *aof, RedisModuleString *key, void *value)
{
    const sr_value *saved = value;
    rewriting to = {.aof = aof, .key = key, .value = saved};
    if (saved->set != NULL) {
        size_t total = 0;
        seenset_write_bytes(saved->set, NULL, &total);
        to.total_bytes = total;
        seenset_write(saved->set, rewrite_chunk, &to);
    }
    if (saved->chain != NULL)
        rewrite_chain(&to, saved->chain);
    if (saved->cuckoo != NULL) {
        to.total_bytes = sr_cuckoo_total_bytes(saved->cuckoo);
        sr_cuckoo_write(saved->cuckoo, rewrite_chunk, &to);
    }
    if (saved->incoming.bytes != NULL)
        rewrite_incoming(&to, &saved->incoming);
}

static int digest_chunk(void *digest, const void *bytes, size_t len)
{
    sr_redis.digest_add(digest, bytes, len);
    return 0;
}

void sr_digest(RedisModuleDigest *digest, void *value)
{
    const sr_value *digested = value;
    if (digested->set != NULL)
        seenset_write(digested->set, digest_chunk, digest);
    if (digested->chain != NULL)
        sr_chain_write(digested->chain, digest_chunk, digest);
    if (digested->cuckoo != NULL)
        sr_cuckoo_write(digested->cuckoo, digest_chunk, digest);
    if (digested->incoming.bytes != NULL)
        sr_redis.digest_add(digest, (const char *)digested->incoming.bytes,
                            (size_t)digested->incoming.done_bytes);
    sr_redis.digest_end(digest);
}
