/*
 * host.c - VISIT.HOST: what holds for one host, and its figures.
 *
 *     VISIT.HOST key host [DELAY ms] [BLOCK ms | UNBLOCK] [BUDGET n]
 *
 * A host that is not known yet gets its settings as well, but a URL is not one.
 * Setting the usual delay or budget removes the setting. BLOCK is
 * from now on, and replicas and the log get the time at which it ends.
 */
#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"
#include "visit/by_host/by_host.h"
#include "visit/by_host/figures.h"
#include "visit/words.h"

/* What is set now, to be changed. */
static sr_setting setting_now(const sr_sites *sites, const char *name,
                              size_t len)
{
    uint32_t number =
        ss_hosts_find(&sites->turns.all, sr_sites_hash_name(name, len));
    const sr_own *own =
        number == SS_HOSTS_NONE ? NULL : sr_sites_line(sites, number)->own;
    sr_setting setting = {.name = name,
                          .name_len = len,
                          .delay_ms = SR_USUAL,
                          .budget = SR_USUAL};
    if (own == NULL)
        return setting;
    setting.delay_ms = own->delay_ms;
    setting.budget = own->budget;
    setting.block_until_ms = own->block_until_ms;
    return setting;
}

static const char *read_pair(RedisModuleString **argv, sr_setting *setting)
{
    uint64_t ms = 0;
    if (sr_is_word(argv[0], "DELAY"))
        return sr_number(argv[1], 0, SR_DELAY_MOST_MS, &setting->delay_ms) == 0
                   ? NULL
                   : SR_WRONG_DELAY;
    if (sr_is_word(argv[0], "BUDGET"))
        return sr_number(argv[1], 1, SR_BUDGET_MOST, &setting->budget) == 0
                   ? NULL
                   : SR_WRONG_BUDGET;
    if (!sr_is_word(argv[0], "BLOCK"))
        return "ERR an option is not known to this command";
    if (sr_number(argv[1], 1, SR_LEASE_MOST_MS, &ms) != 0)
        return "ERR BLOCK is 1 to 1099511627776 ms; UNBLOCK ends one";
    setting->block_until_ms = sr_visit_time(ms);
    return NULL;
}

static const char *read_settings(RedisModuleString **argv, int argc,
                                 sr_setting *setting)
{
    const char *wrong = NULL;
    for (int at = 0; wrong == NULL && at < argc; at++) {
        if (sr_is_word(argv[at], "UNBLOCK")) {
            setting->block_until_ms = 0;
            continue;
        }
        if (at + 1 == argc)
            return "ERR an option lacks its value";
        wrong = read_pair(argv + at, setting);
        at++;
    }
    return wrong;
}

/* What is as all have it is not a setting. */
static void drop_usual(const sr_rules *rules, sr_setting *setting)
{
    if (setting->delay_ms == rules->delay_ms)
        setting->delay_ms = SR_USUAL;
    if (setting->budget == rules->budget)
        setting->budget = SR_USUAL;
}

static int set(const sr_visit_target *target, RedisModuleString *name,
               const sr_setting *setting)
{
    RedisModuleCtx *ctx = target->ctx;
    int error = sr_sites_set(target->visit->sites, setting);
    if (error != 0)
        return sr_reply_error(ctx, error);
    sr_redis.replicate(ctx, "VISIT.EFFECT", "scslll", target->name, "HOST",
                       name, (long long)setting->delay_ms,
                       (long long)setting->budget,
                       (long long)setting->block_until_ms);
    sr_visit_signal(target, "visit.host");
    return sr_redis.reply_simple(ctx, "OK");
}

/* Returns NULL, or the error's text. No URL has a URL as its host. */
static const char *check_name(const char *name, size_t len)
{
    size_t start, site_len;
    if (len > SR_ITEM_MOST_BYTES)
        return "ERR a host has at most 1048576 bytes";
    int error = seenset_url_site(name, len, SEENSET_URL_SITE_HOST_PORT, &start,
                                 &site_len);
    return error == SEENSET_OK && site_len == len
               ? NULL
               : "ERR a host is a name such as www.example.org, and not a URL";
}

int visit_host(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 3)
        return sr_redis.wrong_arity(ctx);
    sr_visit_target target = sr_visit_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (target.state != SR_SET)
        return sr_visit_reply_state(ctx, target.state);
    if (target.visit->sites == NULL)
        return sr_redis.reply_error(ctx, SR_NO_RULES);
    size_t len;
    const char *name = sr_redis.string(argv[2], &len);
    const char *wrong = check_name(name, len);
    if (wrong != NULL)
        return sr_redis.reply_error(ctx, wrong);
    sr_setting setting = setting_now(target.visit->sites, name, len);
    wrong = read_settings(argv + 3, argc - 3, &setting);
    if (wrong != NULL)
        return sr_redis.reply_error(ctx, wrong);
    if (argc == 3)
        return sr_reply_host(&target, name, len);
    drop_usual(&target.visit->sites->rules, &setting);
    return set(&target, argv[2], &setting);
}
