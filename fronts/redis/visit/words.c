/* words.c - see words.h */
#include "visit/words.h"

#include "server/arguments.h"

static const char *read_pair(RedisModuleString **argv,
                             const sr_visit_word *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (sr_is_word(argv[0], words[i].word))
            return sr_number(argv[1], words[i].least, words[i].most,
                             words[i].number) == 0
                       ? NULL
                       : "ERR a number is missing or outside its range";
    }
    return "ERR an option is not known to this command";
}

const char *sr_visit_words(RedisModuleString **argv, int argc,
                           const sr_visit_word *words, size_t count)
{
    const char *error = NULL;
    for (int at = 0; error == NULL && at < argc; at += 2) {
        if (at + 1 == argc)
            return "ERR an option lacks its value";
        error = read_pair(argv + at, words, count);
    }
    return error;
}

void sr_reply_lease(RedisModuleCtx *ctx, const sr_lease *lease)
{
    sr_item item = sr_lease_item(lease);
    sr_redis.reply_array(ctx, 4);
    sr_redis.reply_number(ctx, (long long)lease->number);
    sr_reply_item(ctx, &item);
    sr_redis.reply_number(ctx, lease->times);
}

void sr_reply_item(RedisModuleCtx *ctx, const sr_item *item)
{
    sr_redis.reply_bytes(ctx, (const char *)item->url, item->url_len);
    if (item->has_data)
        sr_redis.reply_bytes(ctx, (const char *)item->data, item->data_len);
    else
        sr_redis.reply_null(ctx);
}
