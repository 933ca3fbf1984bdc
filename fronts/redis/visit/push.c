/*
 * push.c - VISIT.PUSH: each URL that was never pushed is added to the set
 * and enqueued.
 *
 *     VISIT.PUSH key url [DATA d] [url [DATA d]] ...
 *
 * Replicas and the log get the URLs that were new, and enqueue those.
 */
#include <stdio.h>

#include "commands.h"
#include "key/reply.h"
#include "visit/by_host/by_host.h"

/* A missing key gets a partition, whose options are passed on, as those of
 * another version may differ. */
static int make_default(sr_visit_target *target)
{
    sr_visit_options options = sr_visit_defaults();
    int error = sr_visit_make(target, &options);
    if (error != 0)
        return error;
    char rate[32];
    snprintf(rate, sizeof rate, "%.17g", options.fp_rate);
    sr_redis.replicate(target->ctx, "VISIT.NEW", "sclcccl", target->name,
                       "CAPACITY", (long long)options.capacity_items, "RATE",
                       rate, "LIMIT", (long long)options.limit_bytes);
    return 0;
}

static bool is_full(const sr_visit *visit, size_t more)
{
    uint64_t bytes = sr_visit_bytes(visit);
    return bytes > visit->limit_bytes || more > visit->limit_bytes - bytes;
}

static int reply_full(const sr_visit_target *target)
{
    char text[200];
    snprintf(text, sizeof text,
             "FULL the partition takes %llu of at most %llu bytes: nothing was "
             "pushed; acknowledge URLs first, or raise VISIT.LIMIT",
             (unsigned long long)sr_visit_bytes(target->visit),
             (unsigned long long)target->visit->limit_bytes);
    return sr_redis.reply_error(target->ctx, text);
}

static bool reply_answers(const sr_batch *batch, const uint8_t *answers,
                          int refused)
{
    bool has_new = false;
    sr_redis.reply_array(batch->ctx, (long)batch->count);
    for (size_t i = 0; i < batch->count; i++) {
        has_new |= answers[i] == SEENSET_ANSWER_NEW;
        if (answers[i] == SEENSET_ANSWER_REFUSED)
            sr_reply_error(batch->ctx, refused);
        else
            sr_redis.reply_bool(batch->ctx, answers[i] == SEENSET_ANSWER_NEW);
    }
    return has_new;
}

static int push(sr_visit_target *target, const sr_batch *batch)
{
    if (is_full(target->visit, batch->room_bytes))
        return reply_full(target);
    if (target->visit->sites != NULL)
        return sr_push_by_host(target, batch);
    uint8_t *answers = sr_redis.pool_alloc(target->ctx, batch->count);
    int refused = 0;
    int error = sr_batch_push(batch, target->visit, false, answers, &refused);
    if (error != 0)
        return sr_reply_error(target->ctx, error);
    if (reply_answers(batch, answers, refused)) {
        sr_batch_replicate(batch, target->name, answers);
        sr_visit_signal(target, "visit.push");
    }
    return SR_OK;
}

int visit_push(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 3)
        return sr_redis.wrong_arity(ctx);
    sr_batch batch;
    sr_visit_target target = sr_visit_find(ctx, argv[1], SR_READ | SR_WRITE);
    const char *wrong = sr_batch_read(&batch, ctx, argv + 2, (size_t)argc - 2);
    if (wrong != NULL)
        return sr_redis.reply_error(ctx, wrong);
    int error = target.state == SR_MISSING ? make_default(&target) : 0;
    if (error != 0)
        return sr_reply_error(ctx, error);
    if (target.state != SR_SET)
        return sr_visit_reply_state(ctx, target.state);
    return push(&target, &batch);
}
