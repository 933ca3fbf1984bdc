/*
 * numbers.h - numbers of leases, as arguments and as one string for
 * replicas and the log: 8 bytes each, little-endian.
 */
#ifndef SEENSET_REDIS_VISIT_NUMBERS_H
#define SEENSET_REDIS_VISIT_NUMBERS_H

#include "visit/partition/visit.h"

typedef struct sr_numbers {
    char *bytes;
    size_t count;
} sr_numbers;

/* An empty list with room for so many, in memory that is the command's. */
sr_numbers sr_numbers_new(RedisModuleCtx *ctx, size_t room);

void sr_numbers_add(sr_numbers *numbers, uint64_t number);
uint64_t sr_numbers_get(const sr_numbers *numbers, size_t at);

/* Reads a string. Returns 0, or -1: it is not one of whole numbers. */
int sr_numbers_parse(sr_numbers *numbers, const RedisModuleString *argument);

/* Reads arguments, one number each. Returns 0, or -1: one is not a number. */
int sr_numbers_read(sr_numbers *numbers, RedisModuleCtx *ctx,
                    RedisModuleString **argv, size_t count);

#endif
