/*
 * settings.h - what BF.* and CF.* make filters with if a command does not say.
 *
 * They are RedisBloom's settings, with its names, ranges and defaults, as
 * https://redis.io/docs/latest/develop/data-types/probabilistic/configuration/
 * and the page on the object "probabilistic" of Redis Software's interface have
 * them:
 *
 *     argument of the module   configuration
 *     ERROR_RATE               seenset.bf-error-rate         0 to 1    0.01
 *     INITIAL_SIZE             seenset.bf-initial-size       to 2^20   100
 *     EXPANSION                seenset.bf-expansion-factor   to 32768  2
 *     CF_INITIAL_SIZE          seenset.cf-initial-size       to 2^20   1024
 *     CF_BUCKET_SIZE           seenset.cf-bucket-size        to 255    2
 *     CF_MAX_ITERATIONS        seenset.cf-max-iterations     to 65535  20
 *     CF_EXPANSION             seenset.cf-expansion-factor   to 32768  1
 *     CF_MAX_EXPANSIONS        seenset.cf-max-expansions     to 65535  32
 *
 * A configuration's own name, bf-error-rate, is an argument, too. Arguments are
 * set first; redis.conf and CONFIG SET come after them.
 *
 * Settings are of one server. A replica, and the log when it is read, have to
 * make the same filters whatever theirs are: what makes a filter by default
 * sends the numbers along.
 */
#ifndef SEENSET_REDIS_SETTINGS_H
#define SEENSET_REDIS_SETTINGS_H

#include "server/api.h"

typedef enum sr_setting_id {
    SR_BF_INITIAL_SIZE,
    SR_BF_EXPANSION_FACTOR,
    SR_CF_INITIAL_SIZE,
    SR_CF_BUCKET_SIZE,
    SR_CF_MAX_ITERATIONS,
    SR_CF_EXPANSION_FACTOR,
    SR_CF_MAX_EXPANSIONS,
    SR_SETTING_COUNT
} sr_setting_id;

/* The number that is set now, and the rate, above 0 and below 1. */
uint32_t sr_settings_get(sr_setting_id id);
double sr_settings_rate(void);

/*
 * Reads the arguments of the module, makes the settings known to the server,
 * where it has settings of modules, and reads what redis.conf has of them.
 * Returns 0, or -1 after a line in the server's log.
 */
int sr_settings_begin(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);

#endif
