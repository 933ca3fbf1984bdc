/*
 * effect.c - VISIT.EFFECT: what a command did, for replicas and the log.
 *
 *     VISIT.EFFECT key PUSH url [DATA d] ...
 *     VISIT.EFFECT key POP time first fresh numbers
 *     VISIT.EFFECT key NACK time first numbers
 *     VISIT.EFFECT key UNTRIED time first numbers
 *     VISIT.EFFECT key AGAIN time first numbers
 *     VISIT.EFFECT key EXTEND time numbers
 *
 * PUSH: these were new. POP: so many fresh ones of the pending URLs were handed
 * out, and these leases again. NACK: these were given back. UNTRIED: the same,
 * and the hand-out is not counted. AGAIN: the same for visited ones, which will
 * be visited again and so count as never handed out. EXTEND: these
 * have another time.
 *
 * time is in ms since 1970, first is the number that the first of them gets,
 * numbers are 8 bytes each, little-endian. An effect that does not fit what the
 * key has is refused before anything is changed. No clock is read. A partition
 * with rules for hosts has effects of its own: by_host/by_host.h.
 */
#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"
#include "visit/by_host/by_host.h"

typedef struct effect {
    sr_visit_target target;
    RedisModuleString **argv; /* after its word */
    int argc;
    uint64_t due_ms, first_number;
    sr_numbers numbers;
} effect;

#define DAMAGED "ERR an effect does not fit the partition of this key"

/* Each of these returns NULL, or the error's text. */

static const char *push(effect *of)
{
    sr_batch batch;
    if (of->argc < 1)
        return DAMAGED;
    const char *wrong =
        sr_batch_read(&batch, of->target.ctx, of->argv, (size_t)of->argc);
    if (wrong != NULL)
        return wrong;
    uint8_t *answers = sr_redis.pool_alloc(of->target.ctx, batch.count);
    int refused;
    return sr_batch_push(&batch, of->target.visit, true, answers, &refused) == 0
               ? NULL
               : "ERR out of memory";
}

static int read_time(effect *of)
{
    return of->argc < 1 ? -1
                        : sr_number(of->argv[0], 0, INT64_MAX, &of->due_ms);
}

/* The numbers, each of which is a lease. */
static int read_numbers(effect *of, int at)
{
    if (at >= of->argc || sr_numbers_parse(&of->numbers, of->argv[at]) != 0)
        return -1;
    const sr_leases *leases = &of->target.visit->leases;
    for (size_t i = 0; i < of->numbers.count; i++) {
        if (sr_leases_find(leases, sr_numbers_get(&of->numbers, i)) == NULL)
            return -1;
    }
    return 0;
}

/* The first number that is given, which is the next one here. */
static int read_first(effect *of)
{
    if (of->argc < 2 ||
        sr_number(of->argv[1], 1, INT64_MAX, &of->first_number) != 0)
        return -1;
    return of->first_number == of->target.visit->leases.next_number ? 0 : -1;
}

/* How items count that are handed out, or given back. */
typedef enum renewal {
    HANDED_OUT,
    FAILED,
    UNTRIED,
    VISITED
} renewal;

static void renew_one(sr_leases *leases, sr_lease *lease, uint64_t due_ms,
                      renewal as)
{
    if (as == UNTRIED)
        sr_lease_untry(lease);
    if (as == VISITED)
        lease->times = 0;
    sr_leases_renew(leases, lease, due_ms, as == HANDED_OUT);
}

/* A number may be there twice only in a forged effect: once is enough. */
static void renew(effect *of, renewal as)
{
    sr_leases *leases = &of->target.visit->leases;
    for (size_t i = 0; i < of->numbers.count; i++) {
        sr_lease *lease =
            sr_leases_find(leases, sr_numbers_get(&of->numbers, i));
        if (lease != NULL)
            renew_one(leases, lease, of->due_ms, as);
    }
}

static const char *pop(effect *of)
{
    uint64_t fresh;
    sr_visit *visit = of->target.visit;
    if (read_time(of) != 0 || read_first(of) != 0 || of->argc != 4 ||
        sr_number(of->argv[2], 0, sr_items_count(&visit->items), &fresh) != 0 ||
        read_numbers(of, 3) != 0)
        return DAMAGED;
    if (sr_leases_reserve(&visit->leases, fresh + of->numbers.count) != 0)
        return "ERR out of memory";
    renew(of, HANDED_OUT);
    sr_lease *lease;
    for (uint64_t i = 0; i < fresh; i++) {
        if (sr_visit_take(visit, of->due_ms, &lease) != 1)
            return "ERR out of memory";
    }
    return NULL;
}

static const char *give_back(effect *of, renewal as)
{
    if (read_time(of) != 0 || read_first(of) != 0 || of->argc != 3 ||
        read_numbers(of, 2) != 0)
        return DAMAGED;
    if (sr_leases_reserve(&of->target.visit->leases, of->numbers.count) != 0)
        return "ERR out of memory";
    renew(of, as);
    return NULL;
}

static const char *nack(effect *of)
{
    return give_back(of, FAILED);
}

static const char *nack_untried(effect *of)
{
    return give_back(of, UNTRIED);
}

static const char *ack_again(effect *of)
{
    return give_back(of, VISITED);
}

static const char *extend(effect *of)
{
    if (read_time(of) != 0 || of->argc != 2 || read_numbers(of, 1) != 0)
        return DAMAGED;
    sr_leases *leases = &of->target.visit->leases;
    for (size_t i = 0; i < of->numbers.count; i++)
        sr_leases_move(leases,
                       sr_leases_find(leases, sr_numbers_get(&of->numbers, i)),
                       of->due_ms);
    return NULL;
}

static const char *apply(effect *of, const RedisModuleString *word)
{
    static const struct {
        const char *word;
        const char *(*apply)(effect *of);
    } kinds[] = {{"PUSH", push},       {"POP", pop},
                 {"NACK", nack},       {"UNTRIED", nack_untried},
                 {"AGAIN", ack_again}, {"EXTEND", extend}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (sr_is_word(word, kinds[i].word))
            return kinds[i].apply(of);
    }
    return "ERR an effect is PUSH, POP, NACK, UNTRIED, AGAIN or EXTEND";
}

int visit_effect(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 4)
        return sr_redis.wrong_arity(ctx);
    effect of = {.argv = argv + 3, .argc = argc - 3};
    of.target = sr_visit_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (of.target.state != SR_SET)
        return sr_visit_reply_state(ctx, of.target.state);
    const char *wrong =
        of.target.visit->sites != NULL
            ? sr_effect_by_host(&of.target, argv[2], of.argv, of.argc)
            : apply(&of, argv[2]);
    if (wrong != NULL)
        return sr_redis.reply_error(ctx, wrong);
    sr_visit_changed(&of.target, "visit.effect");
    return sr_redis.reply_simple(ctx, "OK");
}
