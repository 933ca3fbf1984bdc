/*
 * seen_dump.c - SEEN.DUMP: a set as the bytes of its file, in chunks.
 *
 * The chunks together are what seenset_save writes, so the command opens them,
 * and SEEN.LOAD takes the chunks of any such file. A set that changes between
 * two chunks gives a file whose checksums are wrong, which is refused when it
 * is loaded.
 */
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "reply.h"

enum {
    CHUNK_BYTES = 16 << 20
};

/* The part of a stream that a reply has. */
typedef struct part {
    uint64_t first, at; /* of the file; at: of the next byte that comes */
    uint8_t *bytes;
    size_t len, done;
} part;

/* Keeps what belongs to the part, and ends the stream once it has all. */
static int keep(void *context, const void *bytes, size_t len)
{
    part *kept = context;
    uint64_t end = kept->at + len;
    if (end > kept->first) {
        size_t skip =
            kept->at < kept->first ? (size_t)(kept->first - kept->at) : 0;
        size_t left = kept->len - kept->done;
        size_t more = len - skip < left ? len - skip : left;
        memcpy(kept->bytes + kept->done, (const uint8_t *)bytes + skip, more);
        kept->done += more;
    }
    kept->at = end;
    return kept->done == kept->len;
}

static int reply_part(RedisModuleCtx *ctx, const seenset *set, uint64_t first,
                      uint64_t total)
{
    uint64_t left = total - first;
    part kept = {.first = first,
                 .len = (size_t)(left < CHUNK_BYTES ? left : CHUNK_BYTES)};
    kept.bytes = sr_redis.try_alloc(kept.len + 1);
    if (kept.bytes == NULL)
        return sr_reply_error(ctx, SEENSET_ENOMEM);
    if (kept.len > 0)
        seenset_write(set, keep, &kept);
    sr_redis.reply_array(ctx, 2);
    sr_redis.reply_number(ctx, (long long)total);
    sr_redis.reply_bytes(ctx, (const char *)kept.bytes, kept.done);
    sr_redis.free(kept.bytes);
    return SR_OK;
}

int seen_dump(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (target.state != SR_SET)
        return sr_reply_state(ctx, target.state);
    size_t total = 0;
    seenset_write_bytes(target.value->set, NULL, &total);
    uint64_t first;
    if (sr_number(argv[2], 0, total, &first) != 0)
        return sr_redis.reply_error(
            ctx, "ERR the offset is past the end of the set's file");
    return reply_part(ctx, target.value->set, first, total);
}
