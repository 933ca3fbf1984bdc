/*
 * new.c - VISIT.NEW and VISIT.LIMIT: a partition, and how large it may
 * be.
 *
 *     VISIT.NEW key [CAPACITY n] [RATE p] [LIMIT bytes]
 *     VISIT.LIMIT key bytes
 */
#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"
#include "visit/target.h"

#define LEAST_LIMIT 1024

static const char *read_option(const RedisModuleString *word,
                               const RedisModuleString *value,
                               sr_visit_options *options)
{
    if (sr_is_word(word, "CAPACITY"))
        return sr_number(value, 1, UINT64_C(1) << 53,
                         &options->capacity_items) == 0
                   ? NULL
                   : "ERR CAPACITY is 1 or more";
    if (sr_is_word(word, "LIMIT"))
        return sr_number(value, LEAST_LIMIT, INT64_MAX,
                         &options->limit_bytes) == 0
                   ? NULL
                   : "ERR LIMIT is 1024 bytes or more";
    if (!sr_is_word(word, "RATE"))
        return "ERR options are CAPACITY n, RATE p and LIMIT bytes";
    double rate = 0;
    if (sr_redis.to_double(value, &rate) != SR_OK || !(rate > 0 && rate < 1))
        return "ERR RATE needs a number between 0 and 1";
    options->fp_rate = rate;
    return NULL;
}

static const char *read_options(RedisModuleString **argv, int argc,
                                sr_visit_options *options)
{
    *options = sr_visit_defaults();
    const char *error = NULL;
    for (int at = 2; error == NULL && at < argc; at += 2) {
        if (at + 1 == argc)
            return "ERR an option lacks its value";
        error = read_option(argv[at], argv[at + 1], options);
    }
    return error;
}

int visit_new(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 2)
        return sr_redis.wrong_arity(ctx);
    sr_visit_options options;
    const char *wrong = read_options(argv, argc, &options);
    if (wrong != NULL)
        return sr_redis.reply_error(ctx, wrong);
    sr_visit_target target = sr_visit_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (target.state == SR_OTHER_TYPE)
        return sr_visit_reply_state(ctx, target.state);
    if (target.state != SR_MISSING)
        return sr_redis.reply_error(ctx, "ERR the key exists");
    int error = sr_visit_make(&target, &options);
    if (error != 0)
        return sr_reply_error_of(ctx, "ERR such a partition cannot be made",
                                 error);
    sr_visit_changed(&target, "visit.new");
    return sr_redis.reply_simple(ctx, "OK");
}

int visit_limit(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 3)
        return sr_redis.wrong_arity(ctx);
    uint64_t limit;
    if (sr_number(argv[2], LEAST_LIMIT, INT64_MAX, &limit) != 0)
        return sr_redis.reply_error(ctx, "ERR LIMIT is 1024 bytes or more");
    sr_visit_target target = sr_visit_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (target.state != SR_SET)
        return sr_visit_reply_state(ctx, target.state);
    target.visit->limit_bytes = limit;
    sr_visit_changed(&target, "visit.limit");
    return sr_redis.reply_simple(ctx, "OK");
}
