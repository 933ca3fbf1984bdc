/*
 * filter.h - what the CF.* commands have in common.
 *
 * Arguments, defaults, replies and errors are RedisBloom's, as version 8.2.0
 * answers. A filter is a list of sets of fingerprints (key/foreign/cuckoo.h).
 */
#ifndef SEENSET_REDIS_CF_FILTER_H
#define SEENSET_REDIS_CF_FILTER_H

#include "key/target.h"

/* What a filter is that is made by the first add to it. */
#define CF_DEFAULTS                                                            \
    ((sr_cuckoo_options){.capacity = 1024,                                     \
                         .bucket_size = 2,                                     \
                         .max_iterations = 20,                                 \
                         .expansion = 1})

/* Gives a missing key a filter. Returns 0, or -1 after it replied an error. */
int cf_make(sr_target *target, const sr_cuckoo_options *options);

/* The key to add to; a missing one is made. Returns 0, or -1 after it replied
 * an error. */
int cf_find_or_make(RedisModuleCtx *ctx, RedisModuleString *name,
                    const sr_cuckoo_options *options, sr_target *target,
                    bool *is_made);

/* Whether the key has no filter of CF.*'s, nor is one loaded: nothing is in
 * it. */
bool cf_has_none(const sr_target *target);

/* The error of a key of this state for every command that needs a filter. */
int cf_reply_state(RedisModuleCtx *ctx, sr_state state);

/* The error of a key to which nothing can be added. */
int cf_reply_refused(RedisModuleCtx *ctx, int error);

/* A whole number as an argument. Returns 0, or -1. */
int cf_number(const RedisModuleString *argument, long long *number);

#endif
