/*
 * load.c - SEEN.LOAD: a set from the bytes of its file, in chunks.
 *
 *     SEEN.LOAD key offset total bytes [SECRET digits] [EXPANSION n]
 *     SEEN.LOAD key ABORT
 *
 * The chunks come in order. After the last one all checksums are checked, and
 * the key gets the set; a key that had one keeps it until then. A file that is
 * damaged leaves the key as it was before the first chunk. Replicas and the log
 * get the commands as they came, and for a damaged file ABORT, so they hold the
 * same at every moment.
 */

#include "commands.h"
#include "key/loading.h"
#include "key/reply.h"
#include "server/arguments.h"

typedef struct request {
    uint64_t offset, total;
    sr_loading loading;
    const char *bytes;
    size_t len;
} request;

static const char *read_words(request *read, RedisModuleString **argv, int argc)
{
    for (int at = 5; at < argc; at += 2) {
        if (at + 1 == argc)
            return "ERR an option lacks its value";
        if (sr_is_word(argv[at], "SECRET")) {
            if (sr_secret_parse(argv[at + 1], read->loading.secret) != 0)
                return "ERR SECRET needs 32 hexadecimal digits";
            read->loading.has_secret = true;
        } else if (!sr_is_word(argv[at], "EXPANSION") ||
                   sr_number(argv[at + 1], 0, SR_MAX_EXPANSION,
                             &read->loading.expansion) != 0) {
            return "ERR options are SECRET digits and EXPANSION 0 to 32768";
        } else {
            read->loading.has_expansion = true;
        }
    }
    return NULL;
}

static const char *read_request(request *read, RedisModuleString **argv,
                                int argc)
{
    if (sr_number(argv[2], 0, INT64_MAX, &read->offset) != 0 ||
        sr_number(argv[3], 1, INT64_MAX, &read->total) != 0)
        return "ERR offset and total are numbers of bytes";
    read->bytes = sr_redis.string(argv[4], &read->len);
    return read_words(read, argv, argc);
}

static int load(sr_target *target, const request *asked)
{
    bool is_new = target->value == NULL;
    int error = sr_load_begin(target);
    if (error != 0)
        return sr_reply_error(target->ctx, error);
    sr_incoming *incoming = &target->value->incoming;
    error = sr_incoming_add(incoming, asked->offset, asked->total, asked->bytes,
                            asked->len);
    if (error != 0) {
        sr_reply_refused(target->ctx, incoming, error);
        if (is_new)
            sr_delete(target->ctx, target->name);
        return SR_OK;
    }
    if (incoming->done_bytes == incoming->total_bytes)
        return sr_load_finish(target, &asked->loading, "seen.load");
    sr_changed(target, "seen.load");
    return sr_redis.reply_simple(target->ctx, "OK");
}

static int give_up(sr_target *target)
{
    if (target->value != NULL && target->value->incoming.bytes != NULL) {
        sr_load_drop(target);
        sr_changed(target, "seen.load");
    }
    return sr_redis.reply_simple(target->ctx, "OK");
}

int seen_load(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    bool is_abort = argc == 3 && sr_is_word(argv[2], "ABORT");
    if (argc < 5 && !is_abort)
        return sr_redis.wrong_arity(ctx);
    request asked = {0};
    const char *error = is_abort ? NULL : read_request(&asked, argv, argc);
    if (error != NULL)
        return sr_redis.reply_error(ctx, error);
    sr_target target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (target.state == SR_OTHER_TYPE)
        return sr_reply_state(ctx, target.state);
    return is_abort ? give_up(&target) : load(&target, &asked);
}
