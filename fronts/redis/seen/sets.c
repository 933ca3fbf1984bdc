/* sets.c - SEEN.MERGE and SEEN.SIMILARITY: several keys together */
#include "commands.h"
#include "key/reply.h"
#include "server/memory.h"

/* Begins with a copy of the first set, without what its key may be loading. */
static int begin_with(sr_value **into, const sr_value *first)
{
    *into = sr_value_copy(first);
    if (*into == NULL)
        return SEENSET_ENOMEM;
    sr_incoming_drop(&(*into)->incoming);
    return 0;
}

/* Between two sources the server does what cannot wait: it tells its cluster
 * that it lives, and its clients that it is busy. That is once a command has
 * taken busy-reply-threshold, and before it nothing is done. No client may
 * change a key meanwhile, but values may move in memory (defragmentation). */
static void yield(RedisModuleCtx *ctx)
{
    if (sr_redis.yield != NULL)
        sr_redis.yield(ctx, SR_YIELD_CLIENTS, "SEEN.MERGE is at work");
}

/* Merges every source into *into, a set of its own: on an error no key has
 * changed. Missing sources are empty. */
static int merge_all(RedisModuleCtx *ctx, RedisModuleString **sources,
                     int count, sr_value **into, sr_state *state)
{
    int error = 0;
    *state = SR_SET;
    for (int i = 0; i < count && error == 0; i++) {
        sr_target source = sr_find(ctx, sources[i], SR_READ);
        if (source.state == SR_MISSING)
            continue;
        *state = source.state;
        if (source.state != SR_SET)
            return 0;
        if (*into == NULL) {
            error = begin_with(into, source.value);
        } else {
            error = seenset_merge((*into)->set, source.value->set);
        }
        yield(ctx);
    }
    return error;
}

/* Whether a copy of the key's set may be taken, which the merge needs. */
static bool may_copy(const sr_target *target)
{
    return sr_memory_may_take(target->ctx, sr_value_bytes(target->value));
}

/* The key gets the value in place of its own. */
static void install(sr_target *target, sr_value *value)
{
    if (target->state == SR_SET) {
        seenset *old = target->value->set;
        target->value->set = value->set;
        value->set = old;
        sr_value_free(value);
    } else {
        sr_set_value(target->ctx, target->name, sr_type(), value);
        target->value = value;
        target->state = SR_SET;
    }
}

int seen_merge(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (target.state != SR_SET && target.state != SR_MISSING)
        return sr_reply_state(ctx, target.state);
    sr_value *into = NULL;
    if (target.state == SR_SET) {
        into = may_copy(&target) ? sr_value_copy(target.value) : NULL;
        if (into == NULL)
            return sr_reply_error(ctx, SEENSET_ENOMEM);
    }
    sr_state state;
    int error = merge_all(ctx, argv + 2, argc - 2, &into, &state);
    if (error == 0 && state == SR_SET && into == NULL)
        state = SR_MISSING; /* nor is there a source */
    if (error != 0 || state != SR_SET) {
        sr_value_free(into);
        return error == 0
                   ? sr_reply_state(ctx, state)
                   : sr_reply_error_of(ctx, "ERR nothing was merged", error);
    }
    target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    install(&target, into);
    sr_changed(&target, "seen.merge");
    return sr_redis.reply_simple(ctx, "OK");
}

static void reply_overlap(RedisModuleCtx *ctx, const seenset_overlap *overlap)
{
    sr_redis.reply_map(ctx, 6);
    sr_field_double(ctx, "jaccard", overlap->jaccard);
    sr_field_double(ctx, "jaccard-error", overlap->jaccard_error);
    sr_field_double(ctx, "union", overlap->union_items);
    sr_field_double(ctx, "intersection", overlap->intersection_items);
    sr_field_double(ctx, "only-in-first", overlap->a_only_items);
    sr_field_double(ctx, "only-in-second", overlap->b_only_items);
}

int seen_similarity(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 3)
        return sr_redis.wrong_arity(ctx);
    sr_target first = sr_find(ctx, argv[1], SR_READ);
    if (first.state != SR_SET)
        return sr_reply_state(ctx, first.state);
    sr_target second = sr_find(ctx, argv[2], SR_READ);
    if (second.state != SR_SET)
        return sr_reply_state(ctx, second.state);
    seenset_overlap overlap;
    int error = seenset_get_overlap(first.value->set, second.value->set,
                                    &overlap, sizeof overlap);
    if (error != 0)
        return sr_reply_error(ctx, error);
    reply_overlap(ctx, &overlap);
    return SR_OK;
}
