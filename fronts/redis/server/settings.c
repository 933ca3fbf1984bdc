/* settings.c - see settings.h */
#include "server/settings.h"

#include <stdio.h>
#include <string.h>

#include "server/arguments.h"

#define RATE_NAME "bf-error-rate"
#define RATE_ARGUMENT "ERROR_RATE"
#define RATE_RANGE "a number above 0 and below 1"

enum {
    ERROR_BYTES = 160,
    NO_FLAGS = 0 /* of a configuration: it can be set at any time */
};

typedef struct number {
    const char *name, *argument;
    long long least, most;
} number;

static const number numbers[SR_SETTING_COUNT] = {
    [SR_BF_INITIAL_SIZE] = {"bf-initial-size", "INITIAL_SIZE", 1, 1048576},
    [SR_BF_EXPANSION_FACTOR] = {"bf-expansion-factor", "EXPANSION", 0, 32768},
    [SR_CF_INITIAL_SIZE] = {"cf-initial-size", "CF_INITIAL_SIZE", 1, 1048576},
    [SR_CF_BUCKET_SIZE] = {"cf-bucket-size", "CF_BUCKET_SIZE", 1, 255},
    [SR_CF_MAX_ITERATIONS] = {"cf-max-iterations", "CF_MAX_ITERATIONS", 1,
                              65535},
    [SR_CF_EXPANSION_FACTOR] = {"cf-expansion-factor", "CF_EXPANSION", 0,
                                32768},
    [SR_CF_MAX_EXPANSIONS] = {"cf-max-expansions", "CF_MAX_EXPANSIONS", 1,
                              65535}};

/* The server reads and writes them without a context, so they are here. */
static long long values[SR_SETTING_COUNT] = {
    [SR_BF_INITIAL_SIZE] = 100,  [SR_BF_EXPANSION_FACTOR] = 2,
    [SR_CF_INITIAL_SIZE] = 1024, [SR_CF_BUCKET_SIZE] = 2,
    [SR_CF_MAX_ITERATIONS] = 20, [SR_CF_EXPANSION_FACTOR] = 1,
    [SR_CF_MAX_EXPANSIONS] = 32};
static double rate = 0.01;
static RedisModuleString *rate_text; /* as it was set; the server shows it */

uint32_t sr_settings_get(sr_setting_id id)
{
    return (uint32_t)values[id];
}

double sr_settings_rate(void)
{
    return rate;
}

/* ---- arguments of the module ---- */

static bool is_name(const RedisModuleString *argument, const char *name,
                    const char *old_name)
{
    return sr_is_word(argument, name) || sr_is_word(argument, old_name);
}

static int refuse(RedisModuleCtx *ctx, const RedisModuleString *name,
                  const char *wanted)
{
    size_t len;
    sr_redis.log(ctx, "warning", "the argument %s needs %s",
                 sr_redis.string(name, &len), wanted);
    return -1;
}

static bool read_rate(const RedisModuleString *text, double *out)
{
    double found;
    if (sr_redis.to_double(text, &found) != SR_OK || !(found > 0 && found < 1))
        return false;
    *out = found;
    return true;
}

/* A name and its value; value: NULL, there is none. */
static int read_argument(RedisModuleCtx *ctx, const RedisModuleString *name,
                         const RedisModuleString *value)
{
    if (is_name(name, RATE_NAME, RATE_ARGUMENT))
        return value != NULL && read_rate(value, &rate)
                   ? 0
                   : refuse(ctx, name, RATE_RANGE);
    for (int i = 0; i < SR_SETTING_COUNT; i++) {
        const number *of = &numbers[i];
        uint64_t found;
        if (!is_name(name, of->name, of->argument))
            continue;
        if (value != NULL && sr_number(value, (uint64_t)of->least,
                                       (uint64_t)of->most, &found) == 0) {
            values[i] = (long long)found;
            return 0;
        }
        char range[ERROR_BYTES];
        snprintf(range, sizeof range, "a whole number from %lld to %lld",
                 of->least, of->most);
        return refuse(ctx, name, range);
    }
    size_t len;
    sr_redis.log(ctx, "warning",
                 "the module does not know the argument %s; it takes "
                 "ERROR_RATE, INITIAL_SIZE, EXPANSION, CF_INITIAL_SIZE, "
                 "CF_BUCKET_SIZE, CF_MAX_ITERATIONS, CF_EXPANSION and "
                 "CF_MAX_EXPANSIONS, each with a value after it",
                 sr_redis.string(name, &len));
    return -1;
}

/* ---- configurations of the server ---- */

static long long get_number(const char *name, void *value)
{
    (void)name;
    return *(long long *)value;
}

/* The server has checked the range. */
static int set_number(const char *name, long long found, void *value,
                      RedisModuleString **error)
{
    (void)name;
    (void)error;
    *(long long *)value = found;
    return SR_OK;
}

static RedisModuleString *get_rate(const char *name, void *unused)
{
    (void)name;
    (void)unused;
    return rate_text;
}

static int keep_rate_text(const char *text, size_t len)
{
    RedisModuleString *kept = sr_redis.create_string(NULL, text, len);
    if (kept == NULL)
        return SR_ERR;
    if (rate_text != NULL)
        sr_redis.free_string(NULL, rate_text);
    rate_text = kept;
    return SR_OK;
}

static int set_rate(const char *name, RedisModuleString *text, void *unused,
                    RedisModuleString **error)
{
    (void)name;
    (void)unused;
    size_t len;
    const char *bytes = sr_redis.string(text, &len);
    if (read_rate(text, &rate))
        return keep_rate_text(bytes, len);
    static const char why[] = RATE_NAME " needs " RATE_RANGE;
    *error = sr_redis.create_string(NULL, why, sizeof why - 1);
    return SR_ERR;
}

/* What arguments have set is what the server falls back on. */
static int register_all(RedisModuleCtx *ctx)
{
    char text[SR_NUMBER_BYTES];
    sr_number_print(rate, text);
    if (keep_rate_text(text, strlen(text)) != SR_OK ||
        sr_redis.register_string_config(ctx, RATE_NAME, text, NO_FLAGS,
                                        get_rate, set_rate, NULL,
                                        NULL) != SR_OK)
        return -1;
    for (int i = 0; i < SR_SETTING_COUNT; i++)
        if (sr_redis.register_numeric_config(
                ctx, numbers[i].name, values[i], NO_FLAGS, numbers[i].least,
                numbers[i].most, get_number, set_number, NULL,
                &values[i]) != SR_OK)
            return -1;
    return sr_redis.load_configs(ctx) == SR_OK ? 0 : -1;
}

int sr_settings_begin(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    for (int i = 0; i < argc; i += 2)
        if (read_argument(ctx, argv[i], i + 1 < argc ? argv[i + 1] : NULL) != 0)
            return -1;
    if (sr_redis.register_string_config == NULL ||
        sr_redis.register_numeric_config == NULL ||
        sr_redis.load_configs == NULL)
        return 0;
    if (register_all(ctx) == 0)
        return 0;
    sr_redis.log(ctx, "warning",
                 "a setting of redis.conf that begins with seenset. was "
                 "refused");
    return -1;
}
