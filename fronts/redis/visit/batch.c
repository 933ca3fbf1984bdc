/* batch.c - see batch.h */
#include "visit/batch.h"

#include "server/arguments.h"

static void take_memory(sr_batch *batch, size_t count)
{
    batch->at = sr_redis.pool_alloc(batch->ctx, count * sizeof *batch->at);
    batch->keys = sr_redis.pool_alloc(batch->ctx, count * sizeof *batch->keys);
    batch->items =
        sr_redis.pool_alloc(batch->ctx, count * sizeof *batch->items);
}

/* The URL at argument `at`, and its data at data_at, if that is not 0. */
static const char *read_item(sr_batch *batch, size_t at, size_t data_at)
{
    seenset_key url = sr_key(batch->argv[at]);
    seenset_key data =
        data_at == 0 ? (seenset_key){0} : sr_key(batch->argv[data_at]);
    if (url.len > SR_ITEM_MOST_BYTES || data.len > SR_ITEM_MOST_BYTES)
        return "ERR a URL and its data have at most 1048576 bytes each";
    sr_item *item = &batch->items[batch->count];
    *item = (sr_item){.url = url.data,
                      .data = data.data,
                      .url_len = (uint32_t)url.len,
                      .data_len = (uint32_t)data.len,
                      .has_data = data_at != 0};
    batch->at[batch->count] = at;
    batch->keys[batch->count++] = url;
    batch->room_bytes += sr_item_room(item);
    return NULL;
}

const char *sr_batch_read(sr_batch *batch, RedisModuleCtx *ctx,
                          RedisModuleString **argv, size_t count)
{
    *batch = (sr_batch){.ctx = ctx, .argv = argv};
    take_memory(batch, count);
    const char *error = NULL;
    for (size_t at = 0; error == NULL && at < count;) {
        size_t first = at++, data_at = 0;
        if (at < count && sr_is_word(argv[at], "DATA")) {
            data_at = at + 1;
            at += 2;
            if (at > count)
                return "ERR DATA needs a value after it";
        }
        error = read_item(batch, first, data_at);
    }
    return error;
}

int sr_batch_push(const sr_batch *batch, sr_visit *visit, bool is_known,
                  uint8_t *answers, int *refused)
{
    if (sr_items_reserve(&visit->items, batch->room_bytes) != 0)
        return SEENSET_ENOMEM;
    *refused = seenset_add_many(visit->set, batch->keys, batch->count, answers);
    for (size_t i = 0; i < batch->count; i++) {
        if (is_known || answers[i] == SEENSET_ANSWER_NEW)
            sr_items_push(&visit->items, &batch->items[i]);
    }
    sr_items_seal(&visit->items);
    return 0;
}

/* The words of the URLs that are new, in memory that is the command's. */
static RedisModuleString **new_words(const sr_batch *batch,
                                     const uint8_t *answers, size_t *word_count)
{
    size_t count = 0;
    RedisModuleString **words =
        sr_redis.pool_alloc(batch->ctx, 3 * batch->count * sizeof *words);
    for (size_t i = 0; i < batch->count; i++) {
        if (answers[i] != SEENSET_ANSWER_NEW)
            continue;
        RedisModuleString **from = batch->argv + batch->at[i];
        size_t own = batch->items[i].has_data ? 3 : 1;
        for (size_t word = 0; word < own; word++)
            words[count++] = from[word];
    }
    *word_count = count;
    return words;
}

void sr_batch_replicate(const sr_batch *batch, RedisModuleString *name,
                        const uint8_t *answers)
{
    size_t count;
    RedisModuleString **words = new_words(batch, answers, &count);
    sr_redis.replicate(batch->ctx, "VISIT.EFFECT", "scv", name, "PUSH", words,
                       count);
}

void sr_batch_replicate_hosts(const sr_batch *batch, RedisModuleString *name,
                              const uint8_t *answers, const sr_numbers *hosts)
{
    size_t count;
    RedisModuleString **words = new_words(batch, answers, &count);
    sr_redis.replicate(batch->ctx, "VISIT.EFFECT", "scbv", name, "HOSTPUSH",
                       hosts->bytes, hosts->count * sizeof(uint64_t), words,
                       count);
}
