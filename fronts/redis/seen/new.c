/*
 * new.c - SEEN.NEW: a set with any of the library's options.
 *
 *     SEEN.NEW key [CAPACITY n] [RATE p] [LAYOUT name] [COUNTERBITS b]
 *         [ONFULL grow | refuse | degrade] [WINDOW KEYS n | WINDOW SECONDS s]
 *         [WINDOWTABLES k] [SLIDING] [SECRET digits]
 *
 * A set of the two layouts that count cannot grow. Unless asked for otherwise
 * it refuses keys past its capacity: to take them and answer "seen" for keys
 * that never were would be a silent loss. Up to 0.1.0 that was the default, so
 * a command without ONFULL that comes from such a server or its log means that;
 * what this one sends has the policy in it.
 */
#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"

typedef struct request {
    seenset_options options;
    uint8_t secret[SEENSET_SECRET_BYTES];
    RedisModuleString **argv;
    int argc, at; /* the next argument */
} request;

/* Each of these reads what follows an option's word. Returns NULL, or the
 * error's text. */

static const RedisModuleString *next(request *from)
{
    return from->at < from->argc ? from->argv[from->at++] : NULL;
}

static const char *read_number(request *from, uint64_t least, uint64_t most,
                               uint64_t *number)
{
    const RedisModuleString *argument = next(from);
    if (argument == NULL)
        return "ERR an option lacks its value";
    return sr_number(argument, least, most, number) == 0
               ? NULL
               : "ERR a number is missing or outside its range";
}

static const char *read_small(request *from, uint32_t least, uint32_t most,
                              uint32_t *number)
{
    uint64_t found = 0;
    const char *error = read_number(from, least, most, &found);
    if (error == NULL)
        *number = (uint32_t)found;
    return error;
}

static const char *read_capacity(request *from)
{
    return read_number(from, 1, UINT64_C(1) << 53,
                       &from->options.capacity_items);
}

static const char *read_rate(request *from)
{
    const RedisModuleString *argument = next(from);
    double rate = 0;
    if (argument == NULL || sr_redis.to_double(argument, &rate) != SR_OK ||
        !(rate > 0 && rate < 1))
        return "ERR RATE needs a number between 0 and 1";
    from->options.fp_rate = rate;
    return NULL;
}

static const struct {
    seenset_layout layout;
    uint32_t counter_bits; /* if COUNTERBITS does not say */
    bool can_grow;
} layouts[] = {{SEENSET_LAYOUT_BLOCKED, 0, true},
               {SEENSET_LAYOUT_BLOOM, 0, true},
               {SEENSET_LAYOUT_COUNTING, 4, false},
               {SEENSET_LAYOUT_FINGERPRINT, 0, false},
               {SEENSET_LAYOUT_SPLIT_BLOCK, 0, true}};

enum {
    LAYOUT_COUNT = sizeof layouts / sizeof layouts[0]
};

static const char *read_layout(request *from)
{
    const RedisModuleString *argument = next(from);
    for (size_t i = 0; argument != NULL && i < LAYOUT_COUNT; i++) {
        if (!sr_is_word(argument, seenset_layout_name(layouts[i].layout)))
            continue;
        from->options.layout = layouts[i].layout;
        if (from->options.counter_bits == 0)
            from->options.counter_bits = layouts[i].counter_bits;
        return NULL;
    }
    return "ERR LAYOUT is blocked, bloom, counting, fingerprint or "
           "split_block";
}

static const char *read_on_full(request *from)
{
    static const seenset_on_full policies[] = {
        SEENSET_ON_FULL_DEGRADE, SEENSET_ON_FULL_REFUSE, SEENSET_ON_FULL_GROW};
    const RedisModuleString *argument = next(from);
    for (size_t i = 0; argument != NULL && i < 3; i++) {
        if (sr_is_word(argument, seenset_on_full_name(policies[i]))) {
            from->options.on_full = policies[i];
            return NULL;
        }
    }
    return "ERR ONFULL is grow, refuse or degrade";
}

static const char *read_window(request *from)
{
    const RedisModuleString *unit = next(from);
    from->options.on_full = SEENSET_ON_FULL_ROTATE;
    if (unit != NULL && sr_is_word(unit, "KEYS"))
        return read_capacity(from);
    if (unit != NULL && sr_is_word(unit, "SECONDS"))
        return read_number(from, 1, INT64_MAX, &from->options.window_seconds);
    return "ERR WINDOW is KEYS n or SECONDS s";
}

static const char *read_window_tables(request *from)
{
    return read_small(from, 2, 64, &from->options.window_generations);
}

static const char *read_counter_bits(request *from)
{
    return read_small(from, 2, 16, &from->options.counter_bits);
}

static const char *read_sliding(request *from)
{
    from->options.flags |= SEENSET_FLAG_SLIDING;
    return NULL;
}

static const char *read_secret(request *from)
{
    const RedisModuleString *argument = next(from);
    if (argument == NULL || sr_secret_parse(argument, from->secret) != 0)
        return "ERR SECRET needs 32 hexadecimal digits";
    from->options.secret = from->secret;
    return NULL;
}

static const struct {
    const char *word;
    const char *(*read)(request *from);
} words[] = {{"CAPACITY", read_capacity},
             {"RATE", read_rate},
             {"LAYOUT", read_layout},
             {"COUNTERBITS", read_counter_bits},
             {"ONFULL", read_on_full},
             {"WINDOW", read_window},
             {"WINDOWTABLES", read_window_tables},
             {"SLIDING", read_sliding},
             {"SECRET", read_secret}};

static const char *read_option(request *from)
{
    const RedisModuleString *word = next(from);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (sr_is_word(word, words[i].word))
            return words[i].read(from);
    }
    return "ERR an option is not known to SEEN.NEW";
}

static bool cannot_grow(seenset_layout layout)
{
    for (size_t i = 0; i < LAYOUT_COUNT; i++)
        if (layouts[i].layout == layout)
            return !layouts[i].can_grow;
    return false;
}

/* Does the command come from a master, or from the server's own log? */
static bool is_repeated(RedisModuleCtx *ctx)
{
    return (sr_redis.get_context_flags(ctx) &
            (SR_CONTEXT_REPLICATED | SR_CONTEXT_LOADING)) != 0;
}

static void send_on(const sr_target *target, const request *asked,
                    bool is_refusing)
{
    if (!is_refusing) {
        sr_changed(target, "seen.new");
        return;
    }
    sr_redis.replicate(target->ctx, "SEEN.NEW", "svcc", target->name,
                       asked->argv + 2, (size_t)asked->argc - 2, "ONFULL",
                       "refuse");
    sr_signal(target, "seen.new");
}

static int make(RedisModuleCtx *ctx, RedisModuleString *name,
                const request *asked)
{
    seenset_options options = asked->options;
    bool is_refusing = cannot_grow(options.layout) &&
                       options.on_full == SEENSET_ON_FULL_DEFAULT &&
                       !is_repeated(ctx);
    if (is_refusing)
        options.on_full = SEENSET_ON_FULL_REFUSE;
    sr_target target = sr_find(ctx, name, SR_READ | SR_WRITE);
    if (target.state == SR_OTHER_TYPE)
        return sr_reply_state(ctx, target.state);
    if (target.state != SR_MISSING)
        return sr_redis.reply_error(ctx, "ERR the key exists");
    if (cannot_grow(options.layout) && options.on_full == SEENSET_ON_FULL_GROW)
        return sr_redis.reply_error(
            ctx, "ERR LAYOUT counting and fingerprint do not grow: give "
                 "CAPACITY the most keys, or use CF.*, which grows");
    int error = sr_make(&target, &options, 0);
    if (error != 0)
        return sr_reply_error_of(ctx, "ERR such a set cannot be made", error);
    target.value->expansion = sr_value_growth(target.value->set);
    send_on(&target, asked, is_refusing);
    return sr_redis.reply_simple(ctx, "OK");
}

int seen_new(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 2)
        return sr_redis.wrong_arity(ctx);
    request asked = {
        .options = {.capacity_items = SR_DEFAULT_CAPACITY, .fp_rate = 0.01},
        .argv = argv,
        .argc = argc,
        .at = 2};
    while (asked.at < argc) {
        const char *error = read_option(&asked);
        if (error != NULL)
            return sr_redis.reply_error(ctx, error);
    }
    return make(ctx, argv[1], &asked);
}
