/*
 * effect.c - the effects of a partition with rules, on replicas and from the
 * log; see by_host.h.
 *
 * An effect whose time, numbers or hosts do not fit is refused before anything
 * is changed. No clock is read.
 */
#include "server/arguments.h"
#include "visit/by_host/by_host.h"

#define DAMAGED "ERR an effect does not fit the partition of this key"
#define NO_MEMORY "ERR out of memory"

typedef struct effect {
    const sr_visit_target *target;
    sr_visit *visit;
    RedisModuleString **argv; /* after its word */
    int argc;
    sr_ending ending;
    uint64_t now_ms, due_ms;
    sr_numbers numbers;
} effect;

/* now due first numbers; first is the next number here. */
static int read_times(effect *of)
{
    uint64_t first;
    return of->argc == 4 &&
                   sr_number(of->argv[0], 0, INT64_MAX, &of->now_ms) == 0 &&
                   sr_number(of->argv[1], 0, INT64_MAX, &of->due_ms) == 0 &&
                   sr_number(of->argv[2], 1, INT64_MAX, &first) == 0 &&
                   first == of->visit->leases.next_number &&
                   sr_numbers_parse(&of->numbers, of->argv[3]) == 0
               ? 0
               : -1;
}

/* Each of these returns NULL, or the error's text. */

static const char *end(effect *of)
{
    sr_leases *leases = &of->visit->leases;
    if (read_times(of) != 0)
        return DAMAGED;
    for (size_t i = 0; i < of->numbers.count; i++) {
        if (sr_leases_find(leases, sr_numbers_get(&of->numbers, i)) == NULL)
            return DAMAGED;
    }
    if (sr_leases_reserve(leases, of->numbers.count) != 0)
        return NO_MEMORY;
    (void)sr_sites_settle(of->visit->sites, leases, of->now_ms);
    for (size_t i = 0; i < of->numbers.count; i++) {
        sr_lease *lease =
            sr_leases_find(leases, sr_numbers_get(&of->numbers, i));
        if (lease != NULL && sr_ending_may_be(of->visit, lease, of->ending) &&
            sr_ending_do(of->visit, lease, of->ending, of->now_ms,
                         of->due_ms) != 0)
            return NO_MEMORY;
    }
    return NULL;
}

/* Hands out the first item of a host, which may have so many out. */
static int take(effect *of, uint64_t hash)
{
    sr_lease *lease;
    sr_sites *sites = of->visit->sites;
    uint32_t number = ss_hosts_find(&sites->turns.all, hash);
    if (number == SS_HOSTS_NONE ||
        ss_turns_host(&sites->turns, number)->leased >= sites->rules.per_host)
        return 0;
    return sr_sites_take(sites, &of->visit->leases, number, of->now_ms,
                         of->due_ms, &lease);
}

static const char *pop(effect *of)
{
    if (read_times(of) != 0 || of->numbers.count > sr_visit_count(of->visit))
        return DAMAGED;
    if (sr_leases_reserve(&of->visit->leases, of->numbers.count) != 0)
        return NO_MEMORY;
    (void)sr_sites_settle(of->visit->sites, &of->visit->leases, of->now_ms);
    for (size_t i = 0; i < of->numbers.count; i++) {
        int found = take(of, sr_numbers_get(&of->numbers, i));
        if (found != 1)
            return found == 0 ? DAMAGED : NO_MEMORY;
    }
    return NULL;
}

static const char *push(effect *of)
{
    sr_batch batch;
    if (of->argc < 2 || sr_numbers_parse(&of->numbers, of->argv[0]) != 0)
        return DAMAGED;
    const char *wrong = sr_batch_read(&batch, of->target->ctx, of->argv + 1,
                                      (size_t)of->argc - 1);
    if (wrong != NULL)
        return wrong;
    if (batch.count != of->numbers.count)
        return DAMAGED;
    return sr_push_known(of->visit, &batch, &of->numbers) == 0 ? NULL
                                                               : NO_MEMORY;
}

static const char *refused(effect *of)
{
    if (of->argc != 1 || sr_numbers_parse(&of->numbers, of->argv[0]) != 0)
        return DAMAGED;
    for (size_t i = 0; i < of->numbers.count; i++)
        sr_sites_refuse(of->visit->sites, sr_numbers_get(&of->numbers, i));
    return NULL;
}

/* -1: the usual. */
static int read_own(const RedisModuleString *argument, uint64_t most,
                    uint64_t *number)
{
    long long found;
    if (sr_redis.to_long_long(argument, &found) == SR_OK && found == -1) {
        *number = SR_USUAL;
        return 0;
    }
    return sr_number(argument, 0, most, number);
}

static const char *set(effect *of)
{
    sr_setting setting;
    if (of->argc != 4 ||
        read_own(of->argv[1], SR_DELAY_MOST_MS, &setting.delay_ms) != 0 ||
        read_own(of->argv[2], SR_BUDGET_MOST, &setting.budget) != 0 ||
        sr_number(of->argv[3], 0, INT64_MAX, &setting.block_until_ms) != 0)
        return DAMAGED;
    setting.name = sr_redis.string(of->argv[0], &setting.name_len);
    if (setting.name_len > SR_ITEM_MOST_BYTES)
        return DAMAGED;
    return sr_sites_set(of->visit->sites, &setting) == 0 ? NULL : NO_MEMORY;
}

const char *sr_effect_by_host(const sr_visit_target *target,
                              const RedisModuleString *word,
                              RedisModuleString **argv, int argc)
{
    static const struct {
        const char *word;
        const char *(*apply)(effect *of);
        sr_ending ending;
    } kinds[] = {
        {"HOSTPOP", pop, SR_END_ACK},         {"HOSTPUSH", push, SR_END_ACK},
        {"HOSTACK", end, SR_END_ACK},         {"HOSTNACK", end, SR_END_NACK},
        {"HOSTUNTRIED", end, SR_END_UNTRIED}, {"HOSTAGAIN", end, SR_END_AGAIN},
        {"HOSTEXTEND", end, SR_END_EXTEND},   {"REVIVE", end, SR_END_REVIVE},
        {"REFUSED", refused, SR_END_ACK},     {"HOST", set, SR_END_ACK}};
    effect of = {
        .target = target, .visit = target->visit, .argv = argv, .argc = argc};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        of.ending = kinds[i].ending;
        if (sr_is_word(word, kinds[i].word))
            return kinds[i].apply(&of);
    }
    return "ERR an effect is HOSTPUSH, HOSTPOP, HOSTACK, HOSTNACK, "
           "HOSTUNTRIED, HOSTAGAIN, HOSTEXTEND, REVIVE, REFUSED or HOST";
}
