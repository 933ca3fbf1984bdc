/*
 * ack.c - VISIT.ACK, VISIT.NACK and VISIT.EXTEND: what becomes of leases.
 *
 *     VISIT.ACK key lease ... [AGAIN ms]       it is done, and leaves; or is
 *                                              visited again ms from now
 *     VISIT.NACK key lease ... [DELAY ms] [UNTRIED]
 *                                              it is handed out again
 *     VISIT.EXTEND key lease ... [LEASE ms]    its lease ends ms from now
 *
 * UNTRIED: that it was handed out counts for nothing, as it was not tried.
 *
 * The reply has for each lease 1, or 0: the URL was handed out again since, or
 * was given back, or is done. A lease whose time has ended still holds until
 * its URL is handed out again.
 */
#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"
#include "visit/by_host/by_host.h"
#include "visit/words.h"

typedef struct request {
    sr_visit_target target;
    sr_numbers numbers; /* that were asked for */
    sr_numbers found;   /* that there are */
    uint64_t ms;
    bool has_ms; /* it was given */
    bool may_be_untried, is_untried;
} request;

/* Before or after the other word. */
static int take_untried(request *asked, RedisModuleString **argv, int end)
{
    if (!asked->may_be_untried || asked->is_untried || end < 2 ||
        !sr_is_word(argv[end - 1], "UNTRIED"))
        return end;
    asked->is_untried = true;
    return end - 1;
}

/* A number and then more, and at the end the word with its own. Returns NULL,
 * or the error's text. */
static const char *read_request(request *asked, RedisModuleString **argv,
                                int argc, const char *word, uint64_t least)
{
    int end = take_untried(asked, argv, argc);
    if (word != NULL && end >= 3 && sr_is_word(argv[end - 2], word)) {
        end -= 2;
        if (sr_number(argv[end + 1], least, SR_LEASE_MOST_MS, &asked->ms) != 0)
            return "ERR a number is missing or outside its range";
        asked->has_ms = true;
        end = take_untried(asked, argv, end);
    }
    size_t count = (size_t)end;
    asked->found = sr_numbers_new(asked->target.ctx, count);
    return sr_numbers_read(&asked->numbers, asked->target.ctx, argv, count) == 0
               ? NULL
               : "ERR a lease is a number that VISIT.POP replied";
}

/* Replies for each number whether it is a lease that is out; `act` is called
 * for those. */
static void reply_each(request *asked,
                       void act(request *asked, sr_lease *lease))
{
    RedisModuleCtx *ctx = asked->target.ctx;
    sr_redis.reply_array(ctx, (long)asked->numbers.count);
    for (size_t i = 0; i < asked->numbers.count; i++) {
        uint64_t number = sr_numbers_get(&asked->numbers, i);
        sr_lease *lease = sr_leases_find(&asked->target.visit->leases, number);
        bool is_out = lease != NULL && lease->is_out;
        sr_redis.reply_bool(ctx, is_out);
        if (!is_out)
            continue;
        sr_numbers_add(&asked->found, number);
        act(asked, lease);
    }
}

/* Whether the key has leases; else what there is to reply was replied. */
static bool is_ready(const request *asked)
{
    if (asked->target.state == SR_MISSING)
        sr_reply_no(asked->target.ctx, asked->numbers.count);
    else if (asked->target.state != SR_SET)
        sr_visit_reply_state(asked->target.ctx, asked->target.state);
    return asked->target.state == SR_SET;
}

/* Reads a command, and replies what is wrong with it. Returns whether it is to
 * be done. */
static bool begin(request *asked, RedisModuleCtx *ctx, RedisModuleString **argv,
                  int argc, const char *word, uint64_t least)
{
    if (argc < 3) {
        sr_redis.wrong_arity(ctx);
        return false;
    }
    asked->target = sr_visit_find(ctx, argv[1], SR_READ | SR_WRITE);
    const char *wrong = read_request(asked, argv + 2, argc - 2, word, least);
    if (wrong != NULL) {
        sr_redis.reply_error(ctx, wrong);
        return false;
    }
    return is_ready(asked);
}

/* ---- what is given back ---- */

/* One way to give items back: its effect is called so. */
typedef struct giving {
    const char *effect, *event;
    void (*act)(request *asked, sr_lease *lease);
} giving;

static void renew(request *asked, sr_lease *lease)
{
    sr_leases_renew(&asked->target.visit->leases, lease, asked->ms, false);
}

static void renew_untried(request *asked, sr_lease *lease)
{
    sr_lease_untry(lease);
    renew(asked, lease);
}

static void renew_visited(request *asked, sr_lease *lease)
{
    lease->times = 0;
    renew(asked, lease);
}

static const giving failed = {"NACK", "visit.nack", renew},
                    untried = {"UNTRIED", "visit.nack", renew_untried},
                    visited = {"AGAIN", "visit.ack", renew_visited};

static int give_back(request *asked, const giving *how)
{
    sr_leases *leases = &asked->target.visit->leases;
    int error = sr_leases_reserve(leases, asked->numbers.count);
    if (error != 0)
        return sr_reply_error(asked->target.ctx, error);
    uint64_t first = leases->next_number;
    asked->ms = sr_visit_time(asked->ms);
    reply_each(asked, how->act);
    if (asked->found.count == 0)
        return SR_OK;
    sr_redis.replicate(asked->target.ctx, "VISIT.EFFECT", "scllb",
                       asked->target.name, how->effect, (long long)asked->ms,
                       (long long)first, asked->found.bytes,
                       asked->found.count * sizeof(uint64_t));
    sr_visit_signal(&asked->target, how->event);
    return SR_OK;
}

/* ---- the commands ---- */

static void acknowledge(request *asked, sr_lease *lease)
{
    sr_leases_remove(&asked->target.visit->leases, lease);
}

int visit_ack(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    request asked = {0};
    if (!begin(&asked, ctx, argv, argc, "AGAIN", 0))
        return SR_OK;
    if (asked.target.visit->sites != NULL)
        return sr_end_by_host(&asked.target, &asked.numbers,
                              asked.has_ms ? SR_END_AGAIN : SR_END_ACK,
                              asked.ms);
    if (asked.has_ms)
        return give_back(&asked, &visited);
    reply_each(&asked, acknowledge);
    if (asked.found.count > 0)
        sr_visit_changed(&asked.target, "visit.ack");
    return SR_OK;
}

int visit_nack(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    request asked = {.may_be_untried = true};
    if (!begin(&asked, ctx, argv, argc, "DELAY", 0))
        return SR_OK;
    if (asked.target.visit->sites != NULL)
        return sr_end_by_host(&asked.target, &asked.numbers,
                              asked.is_untried ? SR_END_UNTRIED : SR_END_NACK,
                              asked.ms);
    return give_back(&asked, asked.is_untried ? &untried : &failed);
}

static void extend(request *asked, sr_lease *lease)
{
    sr_leases_move(&asked->target.visit->leases, lease, asked->ms);
}

int visit_extend(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    request asked = {.ms = SR_VISIT_DEFAULT_LEASE};
    if (!begin(&asked, ctx, argv, argc, "LEASE", 1))
        return SR_OK;
    if (asked.target.visit->sites != NULL)
        return sr_end_by_host(&asked.target, &asked.numbers, SR_END_EXTEND,
                              asked.ms);
    asked.ms = sr_visit_time(asked.ms);
    reply_each(&asked, extend);
    if (asked.found.count == 0)
        return SR_OK;
    sr_redis.replicate(ctx, "VISIT.EFFECT", "sclb", asked.target.name, "EXTEND",
                       (long long)asked.ms, asked.found.bytes,
                       asked.found.count * sizeof(uint64_t));
    sr_visit_signal(&asked.target, "visit.extend");
    return SR_OK;
}
