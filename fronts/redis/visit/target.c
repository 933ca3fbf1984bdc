/* target.c - see target.h */
#include "visit/target.h"

#include "key/reply.h"
#include "server/memory.h"

sr_visit_options sr_visit_defaults(void)
{
    return (sr_visit_options){.capacity_items = SR_DEFAULT_CAPACITY,
                              .limit_bytes = SR_VISIT_DEFAULT_LIMIT,
                              .fp_rate = SR_VISIT_DEFAULT_RATE};
}

sr_visit_target sr_visit_find(RedisModuleCtx *ctx, RedisModuleString *name,
                              int mode)
{
    sr_visit_target target = {.ctx = ctx, .name = name};
    target.visit =
        sr_find_value(ctx, name, mode, sr_visit_type(), &target.state);
    if (target.visit == NULL)
        return target;
    sr_known_name(&target.visit->known, target.visit, name);
    target.state = target.visit->set == NULL ? SR_LOADING : SR_SET;
    return target;
}

int sr_visit_make_empty(sr_visit_target *target)
{
    sr_visit *visit = sr_visit_new();
    if (visit == NULL)
        return SEENSET_ENOMEM;
    sr_known_name(&visit->known, visit, target->name);
    sr_set_value(target->ctx, target->name, sr_visit_type(), visit);
    target->visit = visit;
    target->state = SR_LOADING;
    return 0;
}

int sr_visit_make(sr_visit_target *target, const sr_visit_options *options)
{
    seenset_options set = {.capacity_items = options->capacity_items,
                           .fp_rate = options->fp_rate,
                           .flags = SEENSET_FLAG_ZEROED,
                           .allocator = &sr_allocator};
    seenset *made = NULL;
    if (!sr_memory_may_take(target->ctx, sr_planned_bytes(&set)))
        return SEENSET_ENOMEM;
    int error = seenset_new(&made, &set);
    sr_sites *sites = NULL;
    if (error == 0 && options->has_rules) {
        sites = sr_sites_new(&options->rules);
        error = sites == NULL ? SEENSET_ENOMEM : 0;
    }
    if (error == 0)
        error = sr_visit_make_empty(target);
    if (error != 0) {
        sr_sites_free(sites);
        seenset_free(made);
        return error;
    }
    target->visit->set = made;
    target->visit->sites = sites;
    target->visit->limit_bytes = options->limit_bytes;
    target->state = SR_SET;
    return 0;
}

int sr_visit_reply_state(RedisModuleCtx *ctx, sr_state state)
{
    if (state != SR_LOADING)
        return sr_reply_state(ctx, state);
    return sr_redis.reply_error(
        ctx, "ERR the partition of this key is not loaded whole yet: see "
             "VISIT.LOAD");
}

void sr_visit_signal(const sr_visit_target *target, const char *event)
{
    const sr_target same = {.ctx = target->ctx, .name = target->name};
    sr_signal(&same, event);
}

void sr_visit_changed(const sr_visit_target *target, const char *event)
{
    sr_redis.replicate_verbatim(target->ctx);
    sr_visit_signal(target, event);
}

bool sr_visit_can_find_sites(uint32_t by)
{
    size_t start, len;
    return seenset_url_site("http://a.b/", 11, (seenset_url_site_kind)by,
                            &start, &len) == SEENSET_OK;
}

uint64_t sr_visit_time(uint64_t after_ms)
{
    return (uint64_t)sr_redis.milliseconds() + after_ms;
}
