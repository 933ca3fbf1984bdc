/*
 * push.c - VISIT.PUSH in a partition with rules: each new URL goes to the line
 * of its host, unless the host has all the URLs that it may have.
 *
 * A URL is done whole or not at all, one after the other: memory that ends
 * makes an error of those that are left, and what was done is replicated.
 */
#include "key/reply.h"
#include "visit/by_host/by_host.h"

/* Beside the numbers of seenset_answer. */
#define ANSWER_SPENT 255

typedef struct pushing {
    const sr_visit_target *target;
    const sr_batch *batch;
    uint8_t *answers;
    sr_numbers hosts, spent; /* of those that are new, or refused */
    int refused;
} pushing;

/* Room first, then the set, and then the line, which cannot fail. */
static uint8_t push_new(pushing *now, size_t i, uint64_t hash)
{
    sr_visit *visit = now->target->visit;
    const sr_item *item = &now->batch->items[i];
    uint32_t number;
    int answer = sr_sites_need(visit->sites, hash, &number);
    if (answer == 0)
        answer = sr_sites_reserve(visit->sites, number, sr_item_room(item));
    if (answer == 0)
        answer = seenset_add(visit->set, item->url, item->url_len);
    if (answer < 0) {
        now->refused = answer;
        return SEENSET_ANSWER_REFUSED;
    }
    if (answer == 0)
        return SEENSET_ANSWER_SEEN;
    sr_sites_push(visit->sites, number, item);
    sr_numbers_add(&now->hosts, hash);
    return SEENSET_ANSWER_NEW;
}

static uint8_t push_one(pushing *now, size_t i)
{
    sr_visit *visit = now->target->visit;
    const sr_item *item = &now->batch->items[i];
    if (seenset_has(visit->set, item->url, item->url_len) == 1)
        return SEENSET_ANSWER_SEEN;
    uint64_t hash = sr_sites_hash(visit->sites, item->url, item->url_len);
    if (!sr_sites_is_spent(visit->sites, hash))
        return push_new(now, i, hash);
    sr_sites_refuse(visit->sites, hash);
    sr_numbers_add(&now->spent, hash);
    return ANSWER_SPENT;
}

static void reply_answers(const pushing *now)
{
    RedisModuleCtx *ctx = now->target->ctx;
    sr_redis.reply_array(ctx, (long)now->batch->count);
    for (size_t i = 0; i < now->batch->count; i++) {
        if (now->answers[i] == ANSWER_SPENT)
            sr_redis.reply_error(ctx, "BUDGET the host has all the URLs that "
                                      "it may have; see VISIT.HOST");
        else if (now->answers[i] == SEENSET_ANSWER_REFUSED)
            sr_reply_error(ctx, now->refused);
        else
            sr_redis.reply_bool(ctx, now->answers[i] == SEENSET_ANSWER_NEW);
    }
}

static void replicate(const pushing *now)
{
    const sr_visit_target *target = now->target;
    if (now->hosts.count > 0)
        sr_batch_replicate_hosts(now->batch, target->name, now->answers,
                                 &now->hosts);
    if (now->spent.count > 0)
        sr_redis.replicate(target->ctx, "VISIT.EFFECT", "scb", target->name,
                           "REFUSED", now->spent.bytes,
                           now->spent.count * sizeof(uint64_t));
    if (now->hosts.count > 0 || now->spent.count > 0)
        sr_visit_signal(target, "visit.push");
}

int sr_push_by_host(const sr_visit_target *target, const sr_batch *batch)
{
    pushing now = {.target = target, .batch = batch};
    if (!sr_visit_can_find_sites(target->visit->sites->rules.by))
        return sr_redis.reply_error(target->ctx, SR_NO_DOMAINS);
    now.answers = sr_redis.pool_alloc(target->ctx, batch->count);
    now.hosts = sr_numbers_new(target->ctx, batch->count);
    now.spent = sr_numbers_new(target->ctx, batch->count);
    for (size_t i = 0; i < batch->count; i++)
        now.answers[i] = push_one(&now, i);
    reply_answers(&now);
    replicate(&now);
    return SR_OK;
}

int sr_push_known(sr_visit *visit, const sr_batch *batch,
                  const sr_numbers *hosts)
{
    uint32_t number;
    for (size_t i = 0; i < batch->count; i++) {
        const sr_item *item = &batch->items[i];
        if (sr_sites_need(visit->sites, sr_numbers_get(hosts, i), &number) !=
                0 ||
            sr_sites_reserve(visit->sites, number, sr_item_room(item)) != 0)
            return SEENSET_ENOMEM;
        (void)seenset_add(visit->set, item->url, item->url_len);
        sr_sites_push(visit->sites, number, item);
    }
    return 0;
}
