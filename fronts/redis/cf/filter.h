/*
 * filter.h - what the CF.* commands have in common.
 *
 * Arguments, defaults, replies and errors are RedisBloom's, as version 8.2.0
 * answers. A filter is a list of sets of fingerprints (key/foreign/cuckoo.h).
 */
#ifndef SEENSET_REDIS_CF_FILTER_H
#define SEENSET_REDIS_CF_FILTER_H

#include "key/target.h"

/* What a filter is that is made by the first add to it, by the settings. */
sr_cuckoo_options cf_defaults(void);

/* An expansion as RedisBloom has it, which makes it a power of two. */
uint32_t cf_rounded_expansion(uint32_t expansion);

/* Gives a missing key a filter. Returns 0, or -1 after it replied an error. */
int cf_make(sr_target *target, const sr_cuckoo_options *options);

/* The same, where the command did not name all of it: replicas and the log get
 * CF.RESERVE, since their settings may be others. */
int cf_make_by_default(sr_target *target, const sr_cuckoo_options *options);

/* As sr_cuckoo_add, up to cf-max-expansions sub-filters. What comes from a
 * master or the log was within its own. */
int cf_add_key(RedisModuleCtx *ctx, sr_cuckoo *cuckoo, const seenset_key *key);

/* The key to add to; a missing one is made. Returns 0, or -1 after it replied
 * an error. */
int cf_find_or_make(RedisModuleCtx *ctx, RedisModuleString *name,
                    sr_target *target, bool *is_made);

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
