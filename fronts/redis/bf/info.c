/*
 * info.c - BF.INFO and BF.DEBUG: a filter in RedisBloom's terms. A
 * sub-filter is a table of the set. BF.INFO also has valkey-bloom's fields,
 * one at a time, where RedisBloom has an error for their words.
 */
#include <stdio.h>

#include "bf/ops.h"
#include "commands.h"
#include "key/foreign/valkey_bloom.h"
#include "key/reply.h"
#include "server/arguments.h"

/* The fields, in RedisBloom's order. */
typedef enum field_id {
    CAPACITY,
    SIZE,
    FILTERS,
    ITEMS,
    EXPANSION,
    FIELD_COUNT
} field_id;

static const struct {
    const char *word, *name;
} fields[FIELD_COUNT] = {{"CAPACITY", "Capacity"},
                         {"SIZE", "Size"},
                         {"FILTERS", "Number of filters"},
                         {"ITEMS", "Number of items inserted"},
                         {"EXPANSION", "Expansion rate"}};

/* Items of all tables together. */
static uint64_t whole_capacity(const sr_value *value)
{
    uint64_t capacity = 0;
    for (uint32_t i = 0; i < bf_table_count(value); i++)
        capacity += bf_get_table(value, i).capacity;
    return capacity;
}

static void reply_field(RedisModuleCtx *ctx, const sr_value *value,
                        field_id field)
{
    uint64_t numbers[FIELD_COUNT] = {
        whole_capacity(value), sr_value_bytes(value), bf_table_count(value),
        bf_items(value), bf_expansion(value)};
    if (field == EXPANSION && numbers[field] == 0)
        sr_redis.reply_null(ctx);
    else
        sr_redis.reply_number(ctx, (long long)numbers[field]);
}

static int reply_all(RedisModuleCtx *ctx, const sr_value *value)
{
    sr_redis.reply_map(ctx, FIELD_COUNT);
    for (field_id i = 0; i < FIELD_COUNT; i++) {
        sr_redis.reply_simple(ctx, fields[i].name);
        reply_field(ctx, value, i);
    }
    return SR_OK;
}

static double rate_of(const sr_value *value)
{
    const sr_chain *chain = value->chain;
    seenset_info info = {0};
    if (chain == NULL) {
        seenset_get_info(value->set, &info, sizeof info);
        return info.fp_rate;
    }
    if (sr_chain_is_valkey(chain))
        return chain->rate;
    double first = chain->links[0].error; /* half of it, if it grows */
    return bf_expansion(value) == 0 ? first : 2 * first;
}

static void reply_scaled(RedisModuleCtx *ctx, const sr_chain *chain)
{
    uint64_t bytes;
    sr_valkey_filter filter = sr_valkey_filter_of(chain);
    sr_redis.reply_number(
        ctx, (long long)sr_valkey_scaled(&filter, UINT64_MAX, &bytes));
}

/* A field of valkey-bloom's alone, and as there: its value, in no array. A set
 * has a rate, and a filter in valkey-bloom's form that grows has all three. */
static int reply_valkey(RedisModuleCtx *ctx, const sr_value *value,
                        const RedisModuleString *word)
{
    const sr_chain *chain = value->chain;
    bool does_scale =
        chain != NULL && sr_chain_is_valkey(chain) && chain->growth != 0;
    if (sr_is_word(word, "ERROR"))
        sr_redis.reply_double(ctx, rate_of(value));
    else if (does_scale && sr_is_word(word, "TIGHTENING"))
        sr_redis.reply_double(ctx, chain->tightening);
    else if (does_scale && sr_is_word(word, "MAXSCALEDCAPACITY"))
        reply_scaled(ctx, chain);
    else
        sr_redis.reply_error(ctx, "Invalid information value");
    return SR_OK;
}

/* A map of one field in RESP3, an array of its value in RESP2. */
static int reply_one(RedisModuleCtx *ctx, const sr_value *value,
                     const RedisModuleString *word)
{
    field_id i = 0;
    while (i < FIELD_COUNT && !sr_is_word(word, fields[i].word))
        i++;
    if (i == FIELD_COUNT)
        return reply_valkey(ctx, value, word);
    if ((sr_redis.get_context_flags(ctx) & SR_CONTEXT_RESP3) != 0) {
        sr_redis.reply_map(ctx, 1);
        sr_redis.reply_simple(ctx, fields[i].name);
    } else {
        sr_redis.reply_array(ctx, 1);
    }
    reply_field(ctx, value, i);
    return SR_OK;
}

int bf_info(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 2 && argc != 3)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (!bf_is_filter(&target))
        return sr_reply_state(ctx, target.state);
    return argc == 2 ? reply_all(ctx, target.value)
                     : reply_one(ctx, target.value, argv[2]);
}

static void debug_table(RedisModuleCtx *ctx, bf_table table)
{
    char line[256];
    int len = snprintf(line, sizeof line,
                       "bytes:%llu bits:%llu hashes:%u hashwidth:64 "
                       "capacity:%llu size:%llu ratio:%g",
                       (unsigned long long)table.bytes,
                       (unsigned long long)table.bits, table.hashes,
                       (unsigned long long)table.capacity,
                       (unsigned long long)table.items, table.rate);
    sr_redis.reply_bytes(ctx, line, (size_t)len);
}

int bf_debug(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc != 2)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ);
    if (!bf_is_filter(&target))
        return sr_reply_state(ctx, target.state);
    char line[64];
    int len = snprintf(line, sizeof line, "size:%llu",
                       (unsigned long long)bf_items(target.value));
    uint32_t count = bf_table_count(target.value);
    sr_redis.reply_array(ctx, 1 + (long)count);
    sr_redis.reply_bytes(ctx, line, (size_t)len);
    for (uint32_t i = 0; i < count; i++)
        debug_table(ctx, bf_get_table(target.value, i));
    return SR_OK;
}
