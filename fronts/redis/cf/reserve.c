/* reserve.c - CF.RESERVE, CF.INSERT and CF.INSERTNX */
#include "cf/filter.h"
#include "commands.h"
#include "key/reply.h"
#include "server/arguments.h"

/* ---- CF.RESERVE ---- */

/* The numbers of CF.RESERVE beside the capacity, each after its word. */
typedef enum word_id {
    BUCKETSIZE,
    MAXITERATIONS,
    EXPANSION,
    WORD_COUNT
} word_id;

static const struct {
    const char *word, *not_a_number, *out_of_range;
    uint64_t least, most;
} words[WORD_COUNT] = {
    {"BUCKETSIZE", "Couldn't parse BUCKETSIZE",
     "BUCKETSIZE: value must be in the range [1, 255]", 1, 255},
    {"MAXITERATIONS", "Couldn't parse MAXITERATIONS",
     "MAXITERATIONS: value must be in the range [1, 65535]", 1, 65535},
    {"EXPANSION", "Couldn't parse EXPANSION",
     "EXPANSION: value must be in the range [0, 32768]", 0, 32768}};

/* Reads the number after a word, if it is there. Other words are passed over,
 * as RedisBloom does. Returns NULL, or the error's text. */
static const char *read_word(RedisModuleString **argv, int argc, word_id id,
                             uint32_t *number)
{
    long long found;
    uint64_t value;
    int at = sr_find_word(argv, 3, argc, words[id].word);
    if (at + 1 >= argc)
        return NULL;
    if (cf_number(argv[at + 1], &found) != 0)
        return words[id].not_a_number;
    if (sr_number(argv[at + 1], words[id].least, words[id].most, &value) != 0)
        return words[id].out_of_range;
    *number = (uint32_t)value;
    return NULL;
}

static const char *read_options(RedisModuleString **argv, int argc,
                                sr_cuckoo_options *options)
{
    uint32_t *numbers[WORD_COUNT] = {
        &options->bucket_size, &options->max_iterations, &options->expansion};
    long long found;
    if (cf_number(argv[2], &found) != 0)
        return "Bad capacity";
    for (word_id i = 0; i < WORD_COUNT; i++) {
        const char *error = read_word(argv, argc, i, numbers[i]);
        if (error != NULL)
            return error;
    }
    options->expansion = cf_rounded_expansion(options->expansion);
    uint64_t least = 2 * (uint64_t)options->bucket_size;
    if (sr_number(argv[2], least, SR_CUCKOO_MAX_CAPACITY, &options->capacity) !=
        0)
        return "Capacity must be in the range [2 * BUCKETSIZE, "
               "9007199254740992]";
    return NULL;
}

int cf_reserve(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    if (argc < 3 || argc % 2 == 0)
        return sr_redis.wrong_arity(ctx);
    sr_cuckoo_options options = cf_defaults();
    const char *error = read_options(argv, argc, &options);
    if (error != NULL)
        return sr_redis.reply_error(ctx, error);
    sr_target target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    if (target.state == SR_CUCKOO || target.state == SR_LOADING)
        return sr_redis.reply_error(ctx, "ERR item exists");
    if (target.state != SR_MISSING)
        return cf_reply_state(ctx, target.state);
    if (cf_make(&target, &options) != 0)
        return SR_OK;
    sr_changed(&target, "cf.reserve");
    return sr_redis.reply_simple(ctx, "OK");
}

/* ---- CF.INSERT and CF.INSERTNX ---- */

typedef struct insertion {
    sr_cuckoo_options options;
    bool may_not_create, is_new_only;
    int first_item; /* in argv */
    const char *event;
} insertion;

static const char *read_capacity(insertion *read,
                                 const RedisModuleString *value)
{
    long long found;
    if (cf_number(value, &found) != 0)
        return "Bad capacity";
    if (sr_number(value, 2 * (uint64_t)read->options.bucket_size,
                  SR_CUCKOO_MAX_CAPACITY, &read->options.capacity) != 0)
        return "Capacity must be in the range [cf-bucket-size * 2, "
               "9007199254740992]";
    return NULL;
}

/* Reads the words up to ITEMS. first_item is argc if none is. */
static const char *read_insertion(insertion *read, RedisModuleString **argv,
                                  int argc)
{
    int at = 2;
    for (; at < argc && !sr_is_word(argv[at], "ITEMS"); at++) {
        if (sr_is_word(argv[at], "NOCREATE")) {
            read->may_not_create = true;
            continue;
        }
        if (at + 1 == argc)
            break;
        if (!sr_is_word(argv[at], "CAPACITY"))
            return "Unknown argument received";
        const char *error = read_capacity(read, argv[++at]);
        if (error != NULL)
            return error;
    }
    read->first_item = at < argc ? at + 1 : argc;
    return NULL;
}

/* Full is -1; to CF.INSERT in RESP3 it is false. */
static void reply_one(RedisModuleCtx *ctx, const insertion *asked, int answer)
{
    bool is_resp3 = (sr_redis.get_context_flags(ctx) & SR_CONTEXT_RESP3) != 0;
    if (answer == SEENSET_ENOMEM)
        cf_reply_refused(ctx, answer);
    else if (is_resp3 && !asked->is_new_only)
        sr_redis.reply_bool(ctx, answer == 1);
    else
        sr_redis.reply_number(ctx, answer < 0 ? -1 : answer);
}

static bool insert_items(RedisModuleCtx *ctx, RedisModuleString **argv,
                         int argc, const insertion *asked, sr_cuckoo *cuckoo)
{
    bool has_new = false;
    sr_redis.reply_array(ctx, argc - asked->first_item);
    for (int i = asked->first_item; i < argc; i++) {
        seenset_key key = sr_key(argv[i]);
        bool is_seen = asked->is_new_only && sr_cuckoo_has(cuckoo, &key);
        int answer = is_seen ? 0 : cf_add_key(ctx, cuckoo, &key);
        has_new |= answer == 1;
        reply_one(ctx, asked, answer);
    }
    return has_new;
}

static int insert(RedisModuleCtx *ctx, RedisModuleString **argv, int argc,
                  insertion *asked)
{
    if (argc < 4)
        return sr_redis.wrong_arity(ctx);
    const char *error = read_insertion(asked, argv, argc);
    if (error != NULL)
        return sr_redis.reply_error(ctx, error);
    if (asked->first_item == argc)
        return sr_redis.wrong_arity(ctx);
    sr_target target = sr_find(ctx, argv[1], SR_READ | SR_WRITE);
    bool is_made = target.state == SR_MISSING && !asked->may_not_create;
    if (target.state != SR_CUCKOO && !is_made)
        return cf_reply_state(ctx, target.state);
    if (is_made && cf_make_by_default(&target, &asked->options) != 0)
        return SR_OK;
    bool has_new = insert_items(ctx, argv, argc, asked, target.value->cuckoo);
    if (is_made || has_new)
        sr_changed(&target, asked->event);
    return SR_OK;
}

int cf_insert(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    insertion asked = {.options = cf_defaults(), .event = "cf.insert"};
    return insert(ctx, argv, argc, &asked);
}

int cf_insertnx(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    insertion asked = {
        .options = cf_defaults(), .is_new_only = true, .event = "cf.insertnx"};
    return insert(ctx, argv, argc, &asked);
}
