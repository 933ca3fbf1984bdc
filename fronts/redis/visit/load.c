/*
 * load.c - VISIT.LOAD: a partition from its bytes, in chunks, as a log
 * that is rewritten has it.
 *
 *     VISIT.LOAD key offset total bytes
 *     VISIT.LOAD key ABORT
 *
 * As SEEN.LOAD: the key has the partition after the last chunk, when all of it
 * was checked; until then, and if it is refused, it has what it had.
 */
#include <stdio.h>

#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"
#include "visit/bytes/bytes.h"
#include "visit/target.h"

/* A key that had no partition before goes. */
static void drop(sr_visit_target *target)
{
    sr_incoming_drop(&target->visit->incoming);
    if (target->visit->set == NULL)
        sr_delete(target->ctx, target->name);
}

static int finish(sr_visit_target *target)
{
    RedisModuleCtx *ctx = target->ctx;
    const sr_incoming *incoming = &target->visit->incoming;
    const char *reason = "";
    sr_visit *loaded = NULL;
    int error = sr_visit_open(&loaded, incoming->bytes,
                              (size_t)incoming->total_bytes, &reason);
    if (error == 0) {
        sr_visit_replace(target->visit, loaded);
        sr_visit_changed(target, "visit.load");
        return sr_redis.reply_simple(ctx, "OK");
    }
    drop(target);
    sr_redis.replicate(ctx, "VISIT.LOAD", "sc", target->name, "ABORT");
    sr_visit_signal(target, "visit.load");
    char text[200];
    snprintf(text, sizeof text, "ERR the partition was refused: %s%s%s",
             seenset_strerror(error), reason[0] == '\0' ? "" : ": ", reason);
    return sr_redis.reply_error(ctx, text);
}

static int load(sr_visit_target *target, RedisModuleString **argv)
{
    uint64_t offset, total;
    size_t len;
    const char *bytes = sr_redis.string(argv[4], &len);
    if (sr_number(argv[2], 0, INT64_MAX, &offset) != 0 ||
        sr_number(argv[3], 1, INT64_MAX, &total) != 0)
        return sr_redis.reply_error(
            target->ctx, "ERR offset and total are numbers of bytes");
    bool is_new = target->visit == NULL;
    if (is_new && sr_visit_make_empty(target) != 0)
        return sr_reply_error(target->ctx, SEENSET_ENOMEM);
    sr_incoming *incoming = &target->visit->incoming;
    int error = sr_incoming_add(incoming, offset, total, bytes, len);
    if (error != 0) {
        sr_reply_refused(target->ctx, incoming, error);
        if (is_new)
            sr_delete(target->ctx, target->name);
        return SR_OK;
    }
    if (incoming->done_bytes == incoming->total_bytes)
        return finish(target);
    sr_visit_changed(target, "visit.load");
    return sr_redis.reply_simple(target->ctx, "OK");
}

static int give_up(sr_visit_target *target)
{
    if (target->visit != NULL && target->visit->incoming.bytes != NULL) {
        drop(target);
        sr_visit_changed(target, "visit.load");
    }
    return sr_redis.reply_simple(target->ctx, "OK");
}

int visit_load(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    bool is_abort = argc == 3 && sr_is_word(argv[2], "ABORT");
    if (argc != 5 && !is_abort)
        return sr_redis.wrong_arity(ctx);
    sr_visit_target target = sr_visit_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (target.state == SR_OTHER_TYPE)
        return sr_visit_reply_state(ctx, target.state);
    return is_abort ? give_up(&target) : load(&target, argv);
}
