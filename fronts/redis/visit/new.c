/*
 * new.c - VISIT.NEW and VISIT.LIMIT: a partition, and how large it may
 * be.
 *
 *     VISIT.NEW key [CAPACITY n] [RATE p] [LIMIT bytes] [DELAY ms] [PERHOST n]
 *         [BY host | hostport | domain] [FROM start | end] [BUDGET n] [GIVEUP
 * n] VISIT.LIMIT key bytes
 *
 * From DELAY on, any of these makes a partition with rules for hosts. With
 * GIVEUP alone hosts take turns, and nothing else is asked of them.
 */
#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"
#include "visit/words.h"

#define LEAST_LIMIT 1024
#define NEW_OPTIONS                                                            \
    "ERR options are CAPACITY n, RATE p, LIMIT bytes, DELAY ms, PERHOST n, "   \
    "BY kind, FROM start | end, BUDGET n and GIVEUP n"

/* ---- the rules for hosts ---- */

typedef struct reading {
    sr_visit_options options;
    bool has_per_host, has_more; /* more than GIVEUP */
} reading;

static const char *read_delay(const RedisModuleString *value, sr_rules *rules)
{
    return sr_number(value, 0, SR_DELAY_MOST_MS, &rules->delay_ms) == 0
               ? NULL
               : SR_WRONG_DELAY;
}

static const char *read_small(const RedisModuleString *value, uint64_t most,
                              uint32_t *number, const char *wrong)
{
    uint64_t found;
    if (sr_number(value, 1, most, &found) != 0)
        return wrong;
    *number = (uint32_t)found;
    return NULL;
}

static const char *read_budget(const RedisModuleString *value, sr_rules *rules)
{
    return sr_number(value, 1, SR_BUDGET_MOST, &rules->budget) == 0
               ? NULL
               : SR_WRONG_BUDGET;
}

static const char *read_by(const RedisModuleString *value, sr_rules *rules)
{
    static const char *const kinds[] = {"host", "hostport", "domain"};
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (!sr_is_word(value, kinds[i]))
            continue;
        rules->by = i;
        return NULL;
    }
    return "ERR BY is host, hostport or domain";
}

static const char *read_from(const RedisModuleString *value, sr_rules *rules)
{
    rules->is_from_start = sr_is_word(value, "start");
    return rules->is_from_start || sr_is_word(value, "end")
               ? NULL
               : "ERR FROM is start or end";
}

/* Another word than these: *is_one becomes false. */
static const char *read_rule(const RedisModuleString *word,
                             const RedisModuleString *value, reading *to,
                             bool *is_one)
{
    sr_rules *rules = &to->options.rules;
    *is_one = to->options.has_rules = true;
    if (sr_is_word(word, "GIVEUP"))
        return read_small(value, UINT32_MAX, &rules->give_up,
                          "ERR GIVEUP is 1 to 4294967295 hand-outs");
    to->has_more = true;
    if (sr_is_word(word, "PERHOST")) {
        to->has_per_host = true;
        return read_small(value, SS_HOST_MOST_LEASED, &rules->per_host,
                          "ERR PERHOST is 1 to 65535");
    }
    if (sr_is_word(word, "DELAY"))
        return read_delay(value, rules);
    if (sr_is_word(word, "BUDGET"))
        return read_budget(value, rules);
    if (sr_is_word(word, "BY"))
        return read_by(value, rules);
    if (sr_is_word(word, "FROM"))
        return read_from(value, rules);
    *is_one = false;
    return NULL;
}

static const char *read_option(const RedisModuleString *word,
                               const RedisModuleString *value, reading *to)
{
    sr_visit_options *options = &to->options;
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
    bool is_rule;
    const char *wrong = NULL;
    if (!sr_is_word(word, "RATE")) {
        wrong = read_rule(word, value, to, &is_rule);
        return is_rule ? wrong : NEW_OPTIONS;
    }
    double rate = 0;
    if (sr_redis.to_double(value, &rate) != SR_OK || !(rate > 0 && rate < 1))
        return "ERR RATE needs a number between 0 and 1";
    options->fp_rate = rate;
    return NULL;
}

static const char *read_options(RedisModuleString **argv, int argc,
                                sr_visit_options *options)
{
    reading to = {.options = sr_visit_defaults()};
    const char *error = NULL;
    for (int at = 2; error == NULL && at < argc; at += 2) {
        if (at + 1 == argc)
            return "ERR an option lacks its value";
        error = read_option(argv[at], argv[at + 1], &to);
    }
    if (!to.has_per_host)
        to.options.rules.per_host = to.has_more ? 1 : SS_HOST_MOST_LEASED;
    *options = to.options;
    return error;
}

/* What a master made is made here as well: it sends the host of each URL. */
static bool lacks_domains(RedisModuleCtx *ctx, const sr_visit_options *options)
{
    int flags = sr_redis.get_context_flags(ctx);
    return options->has_rules &&
           (flags & (SR_CONTEXT_REPLICATED | SR_CONTEXT_LOADING)) == 0 &&
           !sr_visit_can_find_sites(options->rules.by);
}

int visit_new(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 2)
        return sr_redis.wrong_arity(ctx);
    sr_visit_options options;
    const char *wrong = read_options(argv, argc, &options);
    if (wrong != NULL)
        return sr_redis.reply_error(ctx, wrong);
    if (lacks_domains(ctx, &options))
        return sr_redis.reply_error(ctx, SR_NO_DOMAINS);
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
