/* numbers.c - see numbers.h */
#include "visit/numbers.h"

#include "server/arguments.h"

sr_numbers sr_numbers_new(RedisModuleCtx *ctx, size_t room)
{
    return (sr_numbers){
        .bytes = sr_redis.pool_alloc(ctx, (room + 1) * sizeof(uint64_t))};
}

void sr_numbers_add(sr_numbers *numbers, uint64_t number)
{
    char *at = numbers->bytes + numbers->count++ * sizeof number;
    for (size_t i = 0; i < sizeof number; i++)
        at[i] = (char)(uint8_t)(number >> (8 * i));
}

uint64_t sr_numbers_get(const sr_numbers *numbers, size_t at)
{
    const uint8_t *bytes =
        (const uint8_t *)numbers->bytes + at * sizeof(uint64_t);
    uint64_t number = 0;
    for (size_t i = 0; i < sizeof number; i++)
        number |= (uint64_t)bytes[i] << (8 * i);
    return number;
}

int sr_numbers_parse(sr_numbers *numbers, const RedisModuleString *argument)
{
    size_t len;
    const char *bytes = sr_redis.string(argument, &len);
    if (len % sizeof(uint64_t) != 0)
        return -1;
    *numbers =
        (sr_numbers){.bytes = (char *)bytes, .count = len / sizeof(uint64_t)};
    return 0;
}

int sr_numbers_read(sr_numbers *numbers, RedisModuleCtx *ctx,
                    RedisModuleString **argv, size_t count)
{
    *numbers = sr_numbers_new(ctx, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t number;
        if (sr_number(argv[i], 0, INT64_MAX, &number) != 0)
            return -1;
        sr_numbers_add(numbers, number);
    }
    return 0;
}
