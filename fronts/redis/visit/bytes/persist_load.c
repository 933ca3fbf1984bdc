/*
 * persist_load.c - reading a partition from a snapshot, or from what DUMP
 * returned. A length takes no memory before its bytes have come.
 */
#include "key/persist_parts.h"
#include "visit/bytes/bytes.h"
#include "visit/bytes/persist.h"

/* Strings that together have `done` of total bytes. */
static int load_strings(RedisModuleIO *rdb, uint64_t done, uint64_t total,
                        sr_incoming *incoming)
{
    int error = 0;
    while (error == 0 && incoming->done_bytes < done) {
        size_t len = 0;
        char *bytes = sr_redis.load_bytes(rdb, &len);
        if (bytes == NULL)
            return SEENSET_EIO;
        error =
            sr_incoming_add(incoming, incoming->done_bytes, total, bytes, len);
        sr_redis.free(bytes);
    }
    return error == 0 && incoming->done_bytes != done ? SEENSET_ECORRUPT
                                                      : error;
}

static int load_whole(RedisModuleIO *rdb, sr_visit **out)
{
    sr_incoming incoming = {0};
    const char *reason = "";
    uint64_t total = sr_redis.load_unsigned(rdb);
    int error = sr_redis.is_io_error(rdb) || total == 0
                    ? SEENSET_ECORRUPT
                    : load_strings(rdb, total, total, &incoming);
    if (error == 0)
        error = sr_visit_open(out, incoming.bytes, (size_t)total, &reason);
    sr_incoming_drop(&incoming);
    if (error != 0)
        sr_redis.log_io_error(rdb, "warning", "a partition was refused: %s %s",
                              seenset_strerror(error), reason);
    return error;
}

static int load_incoming(RedisModuleIO *rdb, sr_incoming *incoming)
{
    uint64_t total = sr_redis.load_unsigned(rdb);
    uint64_t done = sr_redis.load_unsigned(rdb);
    if (sr_redis.is_io_error(rdb) || done == 0 || done >= total)
        return SEENSET_ECORRUPT;
    return load_strings(rdb, done, total, incoming);
}

static int load_value(RedisModuleIO *rdb, sr_visit **out)
{
    uint64_t flags = sr_redis.load_unsigned(rdb);
    if (sr_redis.is_io_error(rdb) || flags == 0 ||
        flags > (SR_VISIT_IS_WHOLE | SR_VISIT_IS_LOADED))
        return SEENSET_ECORRUPT;
    if ((flags & SR_VISIT_IS_WHOLE) != 0) {
        int error = load_whole(rdb, out);
        if (error != 0)
            return error;
    } else {
        *out = sr_visit_new();
    }
    if (*out == NULL)
        return SEENSET_ENOMEM;
    return (flags & SR_VISIT_IS_LOADED) == 0
               ? 0
               : load_incoming(rdb, &(*out)->incoming);
}

void *sr_visit_rdb_load(RedisModuleIO *rdb, int encoding_version)
{
    if (encoding_version != SR_VISIT_ENCODING_VERSION) {
        sr_redis.log_io_error(
            rdb, "warning",
            "a partition of version %d, which needs a newer module",
            encoding_version);
        return NULL;
    }
    sr_visit *visit = NULL;
    if (load_value(rdb, &visit) == 0 && !sr_redis.is_io_error(rdb)) {
        const RedisModuleString *name =
            sr_redis.key_of_io == NULL ? NULL : sr_redis.key_of_io(rdb);
        if (name != NULL)
            sr_known_name(&visit->known, visit, name);
        return visit;
    }
    sr_visit_free(visit);
    return NULL;
}
