/*
 * merge.c - SEEN.MERGE: the union of several sets.
 *
 *     SEEN.MERGE key source [source ...] [STRICT]
 *
 * The rates of sets of different keys add up, so a union can go over the rate
 * that its key was made with. Then the reply is still a status that begins with
 * OK, and goes on with what happened and what would have kept the rate; with
 * STRICT it is an error, and no key has changed. STRICT is the last word; a
 * source of that name is given before another one.
 */
#include <math.h>
#include <stdio.h>

#include "commands.h"
#include "figures/union.h"
#include "key/reply.h"
#include "server/arguments.h"
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

/* Where the sources end. */
static int find_end(RedisModuleString **argv, int argc, bool *is_strict)
{
    *is_strict = argc > 3 && sr_is_word(argv[argc - 1], "STRICT");
    return argc - *is_strict;
}

/* The server asks which words are keys. */
static int tell_keys(RedisModuleCtx *ctx, int end)
{
    sr_redis.key_at(ctx, 1, SR_KEY_IS_WRITTEN | SR_KEY_GETS_MORE);
    for (int i = 2; i < end; i++)
        sr_redis.key_at(ctx, i, SR_KEY_IS_READ_ONLY | SR_KEY_IS_READ);
    return SR_OK;
}

/*
 * Is the union over the rate that it was made with? Then `text` gets one line,
 * without what it begins with, on how far, and what its sets would have had to
 * be made with.
 * Returns 1, 0 or an error.
 */
static int is_over(const seenset *set, char *text, size_t text_bytes)
{
    seenset_info info;
    seenset_estimate estimate;
    int error = seenset_get_info(set, &info, sizeof info);
    if (error == 0)
        error = seenset_get_estimate(set, &estimate, sizeof estimate);
    if (error != 0)
        return error;
    double now = fmax(estimate.current_fp_rate, info.fp_rate);
    if (!figures_union_is_over(now, info.made_fp_rate))
        return 0;
    int done = snprintf(text, text_bytes,
                        "its rate can reach %.3g (now %.3g), over the %.3g "
                        "that it was made with; to keep that, make the sets ",
                        now, estimate.current_fp_rate, info.made_fp_rate);
    if (done < 0 || (size_t)done >= text_bytes)
        return SEENSET_EINVAL;
    if (info.on_full == SEENSET_ON_FULL_GROW || info.window_seconds > 0)
        snprintf(text + done, text_bytes - (size_t)done, "with RATE %.2g",
                 figures_union_rate(info.made_fp_rate, info.made_fp_rate, now));
    else if (estimate.estimated_items < 0x1p53)
        snprintf(text + done, text_bytes - (size_t)done, "with CAPACITY %.0f",
                 figures_union_items(estimate.estimated_items,
                                     (double)info.capacity_items));
    else
        snprintf(text + done, text_bytes - (size_t)done,
                 "with a larger CAPACITY");
    return 1;
}

/* Replicas and the log do what the master did. */
static bool is_repeated(RedisModuleCtx *ctx)
{
    return (sr_redis.get_context_flags(ctx) &
            (SR_CONTEXT_REPLICATED | SR_CONTEXT_LOADING)) != 0;
}

static int reply_not_merged(RedisModuleCtx *ctx, int error)
{
    return sr_reply_error_of(ctx, "ERR nothing was merged", error);
}

/* The key gets the union, unless that is over its rate and must not be. */
static int finish(RedisModuleCtx *ctx, RedisModuleString *key, sr_value *into,
                  bool is_strict)
{
    char over[256], text[320];
    int found = is_over(into->set, over, sizeof over);
    if (found < 0 || (found > 0 && is_strict && !is_repeated(ctx))) {
        sr_value_free(into);
        if (found < 0)
            return reply_not_merged(ctx, found);
        snprintf(text, sizeof text, "ERR nothing was merged: %s", over);
        return sr_redis.reply_error(ctx, text);
    }
    sr_target target = sr_find(ctx, key, SR_READ | SR_WRITE);
    install(&target, into);
    sr_changed(&target, "seen.merge");
    snprintf(text, sizeof text, found > 0 ? "OK, but %s" : "OK",
             found > 0 ? over : "");
    return sr_redis.reply_simple(ctx, text);
}

int seen_merge(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    bool is_strict;
    int end = find_end(argv, argc, &is_strict);
    if (sr_redis.is_keys_request(ctx))
        return tell_keys(ctx, end);
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
    int error = merge_all(ctx, argv + 2, end - 2, &into, &state);
    if (error == 0 && state == SR_SET && into == NULL)
        state = SR_MISSING; /* nor is there a source */
    if (error == 0 && state == SR_SET)
        return finish(ctx, argv[1], into, is_strict);
    sr_value_free(into);
    return error == 0 ? sr_reply_state(ctx, state)
                      : reply_not_merged(ctx, error);
}
