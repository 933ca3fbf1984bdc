/* reserve.c - BF.RESERVE and BF.INSERT: filters with options */
#include <math.h>

#include "bf/filter.h"
#include "bf/ops.h"
#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"

static bool is_rate(double rate)
{
    return rate > 0 && rate < 1;
}

/* Each of these reads one option, and returns NULL or the error's text. */

static const char *read_rate(const RedisModuleString *argument, double *rate)
{
    double found;
    if (sr_redis.to_double(argument, &found) != SR_OK || isnan(found))
        return "ERR bad error rate";
    if (!is_rate(found))
        return "ERR error rate must be in the range (0.000000, 1.000000)";
    *rate = found;
    return NULL;
}

static bool is_number(const RedisModuleString *argument)
{
    long long found;
    return sr_redis.to_long_long(argument, &found) == SR_OK;
}

static const char *read_capacity(const RedisModuleString *argument,
                                 uint64_t *capacity)
{
    if (sr_number(argument, 1, BF_MAX_CAPACITY, capacity) == 0)
        return NULL;
    return is_number(argument)
               ? "ERR capacity must be in the range [1, 9007199254740992]"
               : "ERR bad capacity";
}

static const char *read_expansion(const RedisModuleString *argument,
                                  uint64_t *expansion)
{
    if (sr_number(argument, 0, BF_MAX_EXPANSION, expansion) == 0)
        return NULL;
    return is_number(argument) ? "ERR expansion must be in the range [0, 32768]"
                               : "ERR bad expansion";
}

/* EXPANSION n and NONSCALING, in any order. Other words are passed over, as
 * RedisBloom does. */
static const char *read_growth(RedisModuleString **argv, int argc,
                               bf_filter *filter)
{
    bool is_fixed = sr_find_word(argv, 4, argc, "NONSCALING") < argc;
    int at = sr_find_word(argv, 4, argc, "EXPANSION");
    if (at == argc) {
        filter->expansion = is_fixed ? 0 : filter->expansion;
        return NULL;
    }
    if (at + 1 == argc)
        return "ERR no expansion";
    if (is_fixed)
        return "Nonscaling filters cannot expand";
    return read_expansion(argv[at + 1], &filter->expansion);
}

int bf_reserve(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 4 || argc > 7)
        return sr_redis.wrong_arity(ctx);
    bf_filter filter = BF_DEFAULTS;
    const char *error = read_rate(argv[2], &filter.rate);
    if (error == NULL)
        error = read_capacity(argv[3], &filter.capacity);
    if (error == NULL)
        error = read_growth(argv, argc, &filter);
    if (error != NULL)
        return sr_redis.reply_error(ctx, error);
    sr_target target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (target.state == SR_OTHER_TYPE || target.state == SR_CUCKOO)
        return sr_reply_state(ctx, target.state);
    if (target.state != SR_MISSING)
        return sr_redis.reply_error(ctx, "ERR item exists");
    if (bf_make(&target, &filter) != 0)
        return SR_OK;
    sr_changed(&target, "bf.reserve");
    return sr_redis.reply_simple(ctx, "OK");
}

/* ---- BF.INSERT ---- */

typedef struct insertion {
    bf_filter filter;
    bool is_fixed, may_not_create;
    int first_item; /* in argv */
} insertion;

/* The errors of BF.INSERT are other ones than those of BF.RESERVE. */
static const char *read_value(insertion *read, const RedisModuleString *word,
                              const RedisModuleString *value)
{
    if (sr_is_word(word, "CAPACITY"))
        return read_capacity(value, &read->filter.capacity) == NULL
                   ? NULL
                   : "Bad capacity";
    if (sr_is_word(word, "ERROR"))
        return read_rate(value, &read->filter.rate) == NULL ? NULL
                                                            : "Bad error rate";
    if (sr_is_word(word, "EXPANSION"))
        return read_expansion(value, &read->filter.expansion) == NULL
                   ? NULL
                   : "Bad expansion";
    return "Unknown argument received";
}

/* Reads the words up to ITEMS. Without ITEMS, first_item is argc. */
static const char *read_insertion(insertion *read, RedisModuleString **argv,
                                  int argc)
{
    int at = 2;
    for (; at < argc && !sr_is_word(argv[at], "ITEMS"); at++) {
        if (sr_is_word(argv[at], "NOCREATE")) {
            read->may_not_create = true;
        } else if (sr_is_word(argv[at], "NONSCALING")) {
            read->is_fixed = true;
        } else {
            if (at + 1 == argc)
                break;
            const char *error = read_value(read, argv[at], argv[at + 1]);
            if (error != NULL)
                return error;
            at++;
        }
    }
    read->first_item = at < argc ? at + 1 : argc;
    if (read->is_fixed)
        read->filter.expansion = 0;
    return NULL;
}

/* Adds to a filter that is there, or that is made. */
static int insert(RedisModuleCtx *ctx, RedisModuleString **argv, int argc,
                  const insertion *asked)
{
    sr_target target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    bool is_made = target.state == SR_MISSING;
    if (!bf_is_filter(&target) && (!is_made || asked->may_not_create))
        return sr_reply_state(ctx, target.state);
    if (is_made && bf_make(&target, &asked->filter) != 0)
        return SR_OK;
    return bf_add_items(&target, argv + asked->first_item,
                        (size_t)(argc - asked->first_item), is_made,
                        "bf.insert");
}

int bf_insert(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 4)
        return sr_redis.wrong_arity(ctx);
    insertion asked = {.filter = BF_DEFAULTS};
    const char *error = read_insertion(&asked, argv, argc);
    if (error != NULL)
        return sr_redis.reply_error(ctx, error);
    if (asked.first_item == argc)
        return sr_redis.wrong_arity(ctx);
    return insert(ctx, argv, argc, &asked);
}
