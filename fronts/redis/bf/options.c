/* options.c - see options.h */
#include "bf/options.h"

#include <math.h>

#include "bf/filter.h"
#include "server/arguments.h"

bool bf_is_rate(double rate)
{
    return rate > 0 && rate < 1;
}

const char *bf_read_rate(const RedisModuleString *argument, double *rate)
{
    double found;
    if (sr_redis.to_double(argument, &found) != SR_OK || isnan(found))
        return "ERR bad error rate";
    if (!bf_is_rate(found))
        return "ERR error rate must be in the range (0.000000, 1.000000)";
    *rate = found;
    return NULL;
}

static bool is_number(const RedisModuleString *argument)
{
    long long found;
    return sr_redis.to_long_long(argument, &found) == SR_OK;
}

const char *bf_read_capacity(const RedisModuleString *argument,
                             uint64_t *capacity)
{
    if (sr_number(argument, 1, BF_MAX_CAPACITY, capacity) == 0)
        return NULL;
    return is_number(argument)
               ? "ERR capacity must be in the range [1, 9007199254740992]"
               : "ERR bad capacity";
}

const char *bf_read_expansion(const RedisModuleString *argument,
                              uint64_t *expansion)
{
    if (sr_number(argument, 0, BF_MAX_EXPANSION, expansion) == 0)
        return NULL;
    return is_number(argument) ? "ERR expansion must be in the range [0, 32768]"
                               : "ERR bad expansion";
}
