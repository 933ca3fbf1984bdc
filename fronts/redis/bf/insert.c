/*
 * insert.c - BF.INSERT: adding to a filter that the same command may make.
 *
 * Its words are RedisBloom's, and where that has an error for one, also
 * valkey-bloom's:
 *
 *     VALIDATESCALETO n        an error if the filter could not grow to n items
 *     SEED bytes               32: a missing key gets a filter in
 * valkey-bloom's TIGHTENING ratio         form (key/foreign/valkey_bloom.h)
 *
 * valkey-bloom sends the last two to replicas and its log, whatever a client
 * sent, so such a log can be read here.
 */
#include <string.h>

#include "bf/filter.h"
#include "bf/ops.h"
#include "bf/options.h"
#include "commands.h"
#include "key/foreign/valkey_bloom.h"
#include "key/reply.h"
#include "server/arguments.h"
#include "server/memory.h"

typedef struct insertion {
    bf_filter filter;
    bool is_fixed, may_not_create, has_items;
    int first_item; /* in argv */
    /* valkey-bloom's words. A seed makes a filter in its form. */
    bool has_seed, has_tightening;
    uint8_t seed[SR_VALKEY_SEED_BYTES];
    double tightening;
    uint64_t scale_to; /* 0: not said */
} insertion;

/* What valkey-bloom makes filters with, unless it was configured otherwise. */
#define TIGHTENING 0.5

static const char *read_seed(insertion *read, const RedisModuleString *value)
{
    size_t len;
    const char *bytes = sr_redis.string(value, &len);
    if (len != sizeof read->seed)
        return "ERR SEED needs 32 bytes";
    memcpy(read->seed, bytes, len);
    read->has_seed = true;
    return NULL;
}

static const char *read_tightening(insertion *read,
                                   const RedisModuleString *value)
{
    double found;
    if (sr_redis.to_double(value, &found) != SR_OK || !bf_is_rate(found))
        return "ERR TIGHTENING needs a number between 0 and 1";
    read->tightening = found;
    read->has_tightening = true;
    return NULL;
}

/* A word that RedisBloom has an error for. */
static const char *read_valkey(insertion *read, const RedisModuleString *word,
                               const RedisModuleString *value)
{
    if (sr_is_word(word, "SEED"))
        return read_seed(read, value);
    if (sr_is_word(word, "TIGHTENING"))
        return read_tightening(read, value);
    if (!sr_is_word(word, "VALIDATESCALETO"))
        return "Unknown argument received";
    return sr_number(value, 1, BF_MAX_CAPACITY, &read->scale_to) == 0
               ? NULL
               : "ERR VALIDATESCALETO needs a number of items, 1 to "
                 "9007199254740992";
}

/* The errors of BF.INSERT are other ones than those of BF.RESERVE. */
static const char *read_value(insertion *read, const RedisModuleString *word,
                              const RedisModuleString *value)
{
    if (sr_is_word(word, "CAPACITY"))
        return bf_read_capacity(value, &read->filter.capacity) == NULL
                   ? NULL
                   : "Bad capacity";
    if (sr_is_word(word, "ERROR"))
        return bf_read_rate(value, &read->filter.rate) == NULL
                   ? NULL
                   : "Bad error rate";
    if (sr_is_word(word, "EXPANSION"))
        return bf_read_expansion(value, &read->filter.expansion) == NULL
                   ? NULL
                   : "Bad expansion";
    return read_valkey(read, word, value);
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
    read->has_items = at < argc;
    read->first_item = read->has_items ? at + 1 : argc;
    if (read->is_fixed)
        read->filter.expansion = 0;
    return NULL;
}

/* What cannot be said together. */
static const char *check_words(const insertion *read)
{
    if (read->has_tightening && !read->has_seed)
        return "ERR TIGHTENING is for filters in valkey-bloom's form, which "
               "SEED makes: give both or none";
    if (read->scale_to != 0 && read->filter.expansion == 0)
        return "ERR a filter that does not grow cannot scale: leave NONSCALING "
               "or VALIDATESCALETO out";
    return NULL;
}

static sr_valkey_filter valkey_filter(const insertion *asked)
{
    sr_valkey_filter filter = {.rate = asked->filter.rate,
                               .tightening = asked->tightening,
                               .capacity = asked->filter.capacity,
                               .expansion = (uint32_t)asked->filter.expansion};
    memcpy(filter.seed, asked->seed, sizeof filter.seed);
    return filter;
}

/* About the bytes of the filter when it has scaled to so many items; 0: it
 * cannot. */
static uint64_t scaled_bytes(const insertion *asked, uint64_t items)
{
    if (asked->has_seed) {
        uint64_t bytes;
        sr_valkey_filter filter = valkey_filter(asked);
        return sr_valkey_scaled(&filter, items, &bytes) < items ? 0 : bytes;
    }
    uint64_t capacity = asked->filter.capacity;
    seenset_options options = {.capacity_items =
                                   capacity > items ? capacity : items,
                               .fp_rate = asked->filter.rate};
    return sr_planned_bytes(&options);
}

static const char *check_scale(RedisModuleCtx *ctx, const insertion *asked)
{
    if (asked->scale_to == 0)
        return NULL;
    uint64_t bytes = scaled_bytes(asked, asked->scale_to);
    return bytes != 0 && sr_memory_may_take(ctx, bytes)
               ? NULL
               : "ERR the filter cannot scale to that many items: they take "
                 "more memory than maxmemory leaves, or a rate below what can "
                 "be kept";
}

/* All of it, as the settings of a replica may be others. */
static void replicate_valkey(const sr_target *target, const insertion *asked)
{
    char rate[SR_NUMBER_BYTES], tightening[SR_NUMBER_BYTES];
    sr_number_print(asked->filter.rate, rate);
    sr_number_print(asked->tightening, tightening);
    sr_redis.replicate(target->ctx, "BF.INSERT", "sclccclcccb", target->name,
                       "CAPACITY", (long long)asked->filter.capacity, "ERROR",
                       rate, "EXPANSION", (long long)asked->filter.expansion,
                       "TIGHTENING", tightening, "SEED", asked->seed,
                       sizeof asked->seed);
}

static int make_valkey(sr_target *target, const insertion *asked)
{
    sr_chain *chain = NULL;
    sr_valkey_filter filter = valkey_filter(asked);
    uint64_t bytes;
    sr_valkey_scaled(&filter, 1, &bytes);
    int error = sr_memory_may_take(target->ctx, bytes)
                    ? sr_valkey_new(&chain, &filter)
                    : SEENSET_ENOMEM;
    if (error == 0)
        error = sr_make_chain(target, chain);
    if (error == 0)
        replicate_valkey(target, asked);
    return sr_reply_not_created(target->ctx, error);
}

static int make(sr_target *target, const insertion *asked)
{
    return asked->has_seed ? make_valkey(target, asked)
                           : bf_make_by_default(target, &asked->filter);
}

/* Without items, as only valkey-bloom's words let it be. */
static int reply_made(const sr_target *target, bool is_made)
{
    if (is_made)
        sr_changed(target, "bf.insert");
    sr_redis.reply_array(target->ctx, 0);
    return SR_OK;
}

/* Adds to a filter that is there, or that is made. */
static int insert(RedisModuleCtx *ctx, RedisModuleString **argv, int argc,
                  const insertion *asked)
{
    sr_target target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    bool is_made = target.state == SR_MISSING;
    if (!bf_is_filter(&target) && (!is_made || asked->may_not_create))
        return sr_reply_state(ctx, target.state);
    if (is_made && make(&target, asked) != 0)
        return SR_OK;
    if (!asked->has_items)
        return reply_made(&target, is_made);
    return bf_add_items(&target, argv + asked->first_item,
                        (size_t)(argc - asked->first_item), is_made,
                        "bf.insert");
}

int bf_insert(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 4)
        return sr_redis.wrong_arity(ctx);
    insertion asked = {.filter = bf_defaults(), .tightening = TIGHTENING};
    const char *error = read_insertion(&asked, argv, argc);
    if (error != NULL)
        return sr_redis.reply_error(ctx, error);
    bool may_lack_items = asked.has_seed || asked.scale_to != 0;
    if (asked.first_item == argc && (asked.has_items || !may_lack_items))
        return sr_redis.wrong_arity(ctx);
    error = check_words(&asked);
    if (error == NULL)
        error = check_scale(ctx, &asked);
    if (error != NULL)
        return sr_redis.reply_error(ctx, error);
    return insert(ctx, argv, argc, &asked);
}
