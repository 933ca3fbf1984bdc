/* arguments.c - see arguments.h */
#include "server/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool sr_is_word(const RedisModuleString *argument, const char *word)
{
    size_t len;
    const char *text = sr_redis.string(argument, &len);
    return len == strlen(word) && strncasecmp(text, word, len) == 0;
}

int sr_find_word(RedisModuleString **argv, int first, int argc,
                 const char *word)
{
    int at = first;
    while (at < argc && !sr_is_word(argv[at], word))
        at++;
    return at;
}

int sr_number(const RedisModuleString *argument, uint64_t least, uint64_t most,
              uint64_t *number)
{
    long long found;
    if (sr_redis.to_long_long(argument, &found) != SR_OK || found < 0 ||
        (uint64_t)found < least || (uint64_t)found > most)
        return -1;
    *number = (uint64_t)found;
    return 0;
}

void sr_number_print(double number, char text[SR_NUMBER_BYTES])
{
    enum {
        LEAST = 6,
        MOST = 17
    }; /* digits; the last are always enough */
    int digits = LEAST;
    do
        snprintf(text, SR_NUMBER_BYTES, "%.*g", digits, number);
    while (digits++ < MOST && strtod(text, NULL) != number);
}

/* The value of a hexadecimal digit; -1: it is not one. */
static int digit(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = c == '\0' ? NULL : strchr(digits, c);
    return at == NULL ? -1 : (int)((at - digits) % 16);
}

int sr_secret_parse(const RedisModuleString *argument, uint8_t *secret)
{
    uint8_t parsed[SEENSET_SECRET_BYTES];
    size_t len;
    const char *text = sr_redis.string(argument, &len);
    if (len != 2 * sizeof parsed)
        return -1;
    for (size_t i = 0; i < sizeof parsed; i++) {
        int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return -1;
        parsed[i] = (uint8_t)(16 * high + low);
    }
    memcpy(secret, parsed, sizeof parsed);
    return 0;
}

void sr_secret_print(const uint8_t *secret, char hex[SR_SECRET_HEX_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < SEENSET_SECRET_BYTES; i++) {
        hex[2 * i] = digits[secret[i] >> 4];
        hex[2 * i + 1] = digits[secret[i] & 15];
    }
    hex[2 * SEENSET_SECRET_BYTES] = '\0';
}

seenset_key sr_key(const RedisModuleString *argument)
{
    seenset_key key;
    key.data = sr_redis.string(argument, &key.len);
    return key;
}

seenset_key *sr_keys(RedisModuleCtx *ctx, RedisModuleString **argv,
                     size_t count)
{
    seenset_key *keys = sr_redis.pool_alloc(ctx, count * sizeof *keys);
    for (size_t i = 0; i < count; i++)
        keys[i] = sr_key(argv[i]);
    return keys;
}
