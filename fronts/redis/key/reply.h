/* reply.h - what several commands reply */
#ifndef SEENSET_REDIS_REPLY_H
#define SEENSET_REDIS_REPLY_H

#include <stdbool.h>

#include "key/incoming.h"
#include "key/target.h"

#define SR_WRONG_TYPE                                                          \
    "WRONGTYPE Operation against a key holding the wrong kind of value"

/* The error that a key of this state has for every command that needs a set:
 * missing, another type or a filter of CF.*'s, or not loaded whole. */
int sr_reply_state(RedisModuleCtx *ctx, sr_state state);

/* "ERR " and what the library says of an error. */
int sr_reply_error(RedisModuleCtx *ctx, int error);

/* The same after the words `what`, which begin with "ERR". */
int sr_reply_error_of(RedisModuleCtx *ctx, const char *what, int error);

/* BF.* and CF.*: replies why a filter could not be created. Returns 0 if error
 * is 0, and replies nothing; or -1. */
int sr_reply_not_created(RedisModuleCtx *ctx, int error);

/* What sr_incoming_add returned for a chunk of SEEN.LOAD or VISIT.LOAD. */
int sr_reply_refused(RedisModuleCtx *ctx, const sr_incoming *incoming,
                     int error);

/* Each answer, 0 or 1, as a boolean; in RESP2 that is a number. */
int sr_reply_answers(RedisModuleCtx *ctx, const uint8_t *answers, size_t count);

/* So many answers "no". */
int sr_reply_no(RedisModuleCtx *ctx, size_t count);

/* A field of a map. */
void sr_field_number(RedisModuleCtx *ctx, const char *name, uint64_t number);
void sr_field_double(RedisModuleCtx *ctx, const char *name, double number);
void sr_field_text(RedisModuleCtx *ctx, const char *name, const char *text);

#endif
