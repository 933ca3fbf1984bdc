/* arguments.h - words and numbers in a command's arguments */
#ifndef SEENSET_REDIS_ARGUMENTS_H
#define SEENSET_REDIS_ARGUMENTS_H

#include <stdbool.h>

#include "seenset/base.h"
#include "seenset/hash.h"
#include "server/api.h"

/* Whether an argument is this word, in any case. */
bool sr_is_word(const RedisModuleString *argument, const char *word);

/* The first argument from `first` on that is this word; argc if none is. */
int sr_find_word(RedisModuleString **argv, int first, int argc,
                 const char *word);

/* A whole number from least to most. Returns 0, or -1 with *number as it was.
 */
int sr_number(const RedisModuleString *argument, uint64_t least, uint64_t most,
              uint64_t *number);

enum {
    SR_NUMBER_BYTES = 32
};

/* The number as the shortest text from which the same one is read. */
void sr_number_print(double number, char text[SR_NUMBER_BYTES]);

/* Thirty-two hexadecimal digits. Returns 0, or -1. */
int sr_secret_parse(const RedisModuleString *argument, uint8_t *secret);

/* An argument as a key of a set. */
seenset_key sr_key(const RedisModuleString *argument);

/* The arguments as keys of a set, in memory that is the command's. */
seenset_key *sr_keys(RedisModuleCtx *ctx, RedisModuleString **argv,
                     size_t count);

enum {
    SR_SECRET_HEX_BYTES = 2 * SEENSET_SECRET_BYTES + 1
};

/* The secret in hexadecimal digits, and a NUL. */
void sr_secret_print(const uint8_t *secret, char hex[SR_SECRET_HEX_BYTES]);

#endif
