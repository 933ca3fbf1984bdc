/*
 * persist_load.c - reading a value from a snapshot, or what DUMP returned.
 *
 * The bytes may come from anybody. Each number is checked, a count never takes
 * memory, and what is left over or missing is an error. The server then keeps
 * the key as it was.
 */
#include <string.h>

#include "key/incoming.h"
#include "key/persist.h"
#include "key/persist_parts.h"
#include "server/memory.h"

/* The strings of a set, one after another. */
typedef struct strings {
    RedisModuleIO *rdb;
    char *bytes; /* the string that is read now */
    size_t len, at;
} strings;

/* The next string; -1: there is none, or an empty one, which is never saved. */
static int next_string(strings *from)
{
    if (from->bytes != NULL)
        sr_redis.free(from->bytes);
    from->at = from->len = 0;
    from->bytes = sr_redis.load_bytes(from->rdb, &from->len);
    return from->bytes == NULL || from->len == 0 ? -1 : 0;
}

static int64_t read_strings(void *context, void *bytes, size_t size_bytes)
{
    strings *from = context;
    if (from->at == from->len && next_string(from) != 0)
        return -1;
    size_t left = from->len - from->at;
    size_t len = left < size_bytes ? left : size_bytes;
    memcpy(bytes, from->bytes + from->at, len);
    from->at += len;
    return (int64_t)len;
}

static int load_set(RedisModuleIO *rdb, sr_value *value)
{
    strings from = {.rdb = rdb};
    seenset_file_report report = {0};
    seenset_open_options options = {.flags = SEENSET_OPEN_COPY,
                                    .secret =
                                        value->is_keyed ? value->secret : NULL,
                                    .allocator = &sr_allocator,
                                    .report = &report};
    int error = seenset_read(&value->set, read_strings, &from, &options);
    if (error == SEENSET_EIO) /* read_strings alone returns it */
        error = SEENSET_ETRUNCATED;
    if (error == 0 && from.at != from.len)
        error = SEENSET_ECORRUPT;
    if (from.bytes != NULL)
        sr_redis.free(from.bytes);
    if (error != 0)
        sr_redis.log_io_error(rdb, "warning", "a set was refused: %s %s",
                              seenset_strerror(error), report.reason);
    return error;
}

static int load_secret(RedisModuleIO *rdb, sr_value *value)
{
    size_t len = 0;
    char *bytes = sr_redis.load_bytes(rdb, &len);
    int error = bytes != NULL && len == sizeof value->secret ? 0 : -1;
    if (error == 0)
        memcpy(value->secret, bytes, len);
    if (bytes != NULL)
        sr_redis.free(bytes);
    value->is_keyed = 1;
    return error;
}

/* The strings that together have `done` of total bytes. */
static int load_bytes(RedisModuleIO *rdb, uint64_t done, uint64_t total,
                      sr_incoming *incoming, uint64_t *sum)
{
    strings from = {.rdb = rdb};
    int error = 0;
    *sum = 0;
    while (error == 0 && incoming->done_bytes < done) {
        error = next_string(&from);
        if (error == 0)
            error = sr_incoming_add(incoming, incoming->done_bytes, total,
                                    from.bytes, from.len);
        if (error == 0)
            *sum = sr_sum(*sum, from.bytes, from.len);
    }
    if (from.bytes != NULL)
        sr_redis.free(from.bytes);
    return error == 0 && incoming->done_bytes == done ? 0 : -1;
}

/* A chain, or a list of sets: its length, its bytes and their sum. */
static int load_summed(RedisModuleIO *rdb, sr_incoming *incoming)
{
    uint64_t sum, total = sr_redis.load_unsigned(rdb);
    if (sr_redis.is_io_error(rdb) || total == 0 ||
        load_bytes(rdb, total, total, incoming, &sum) != 0)
        return -1;
    return sr_redis.load_unsigned(rdb) == sum ? 0 : SEENSET_ECORRUPT;
}

static int load_chain(RedisModuleIO *rdb, sr_value *value)
{
    sr_incoming incoming = {0};
    int error = load_summed(rdb, &incoming);
    if (error == 0)
        error =
            sr_chain_open(&value->chain, incoming.bytes, incoming.total_bytes);
    sr_incoming_drop(&incoming);
    return error;
}

static int load_cuckoo(RedisModuleIO *rdb, sr_value *value)
{
    sr_incoming incoming = {0};
    seenset_file_report report = {0};
    int error = load_summed(rdb, &incoming);
    if (error == 0)
        error = sr_cuckoo_open(&value->cuckoo, incoming.bytes,
                               incoming.total_bytes, &report);
    sr_incoming_drop(&incoming);
    return error;
}

static int load_incoming(RedisModuleIO *rdb, sr_incoming *incoming)
{
    uint64_t total = sr_redis.load_unsigned(rdb);
    uint64_t done = sr_redis.load_unsigned(rdb);
    if (sr_redis.is_io_error(rdb) || done == 0 || done >= total)
        return -1;
    uint64_t sum;
    return load_bytes(rdb, done, total, incoming, &sum);
}

/* Something there is, and one at most of a set, a chain and a list of sets. */
static bool are_flags(uint64_t flags)
{
    uint64_t kinds = flags & (SR_FLAG_SET | SR_FLAG_CHAIN | SR_FLAG_CUCKOO);
    return (flags & ~(uint64_t)SR_ALL_FLAGS) == 0 &&
           (flags & (SR_ALL_FLAGS - SR_FLAG_KEYED)) != 0 &&
           (kinds & (kinds - 1)) == 0;
}

static int load_value(RedisModuleIO *rdb, sr_value *value)
{
    uint64_t flags = sr_redis.load_unsigned(rdb);
    value->expansion = sr_redis.load_unsigned(rdb);
    if (sr_redis.is_io_error(rdb) || !are_flags(flags) ||
        value->expansion > SR_MAX_EXPANSION)
        return -1;
    if ((flags & SR_FLAG_KEYED) != 0 && load_secret(rdb, value) != 0)
        return -1;
    if ((flags & SR_FLAG_SET) != 0 && load_set(rdb, value) != 0)
        return -1;
    if ((flags & SR_FLAG_CHAIN) != 0 && load_chain(rdb, value) != 0)
        return -1;
    if ((flags & SR_FLAG_CUCKOO) != 0 && load_cuckoo(rdb, value) != 0)
        return -1;
    if ((flags & SR_FLAG_INCOMING) != 0)
        return load_incoming(rdb, &value->incoming);
    return 0;
}

void *sr_rdb_load(RedisModuleIO *rdb, int encoding_version)
{
    if (encoding_version != SR_ENCODING_VERSION) {
        sr_redis.log_io_error(rdb, "warning",
                              "a set of version %d, which needs a newer module",
                              encoding_version);
        return NULL;
    }
    sr_value *value = sr_value_new();
    if (value != NULL && load_value(rdb, value) == 0 &&
        !sr_redis.is_io_error(rdb))
        return value;
    sr_value_free(value);
    return NULL;
}
