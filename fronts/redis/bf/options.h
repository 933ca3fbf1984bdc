/*
 * options.h - the numbers that BF.RESERVE and BF.INSERT are given.
 */
#ifndef SEENSET_REDIS_BF_OPTIONS_H
#define SEENSET_REDIS_BF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "server/api.h"

/* Above 0 and below 1. */
bool bf_is_rate(double rate);

/* Each of these reads one option, and returns NULL or the error's text. */
const char *bf_read_rate(const RedisModuleString *argument, double *rate);
const char *bf_read_capacity(const RedisModuleString *argument,
                             uint64_t *capacity);
const char *bf_read_expansion(const RedisModuleString *argument,
                              uint64_t *expansion);

#endif
