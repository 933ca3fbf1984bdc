/*
 * target.h - the key that a command is about: found, made, changed.
 */
#ifndef SEENSET_REDIS_TARGET_H
#define SEENSET_REDIS_TARGET_H

#include <stdbool.h>

#include "key/value.h"

typedef enum sr_state {
    SR_MISSING,    /* the server does not have the key */
    SR_OTHER_TYPE, /* it is not a value of this module */
    SR_LOADING,    /* its set has not come whole yet */
    SR_SET,
    SR_CHAIN, /* a filter in RedisBloom's or valkey-bloom's form */
    SR_CUCKOO /* a filter of CF.*'s */
} sr_state;

typedef struct sr_target {
    RedisModuleCtx *ctx;
    RedisModuleString *name;
    sr_value *value; /* NULL: SR_MISSING and SR_OTHER_TYPE */
    sr_state state;
} sr_target;

/*
 * The value of a key of one type; NULL, and *state is SR_MISSING or
 * SR_OTHER_TYPE. mode as for sr_find. The key is closed again: the server runs
 * one command at a time, so the value stays until this one changes the key or
 * yields. For a key that a command leaves open the server keeps a list, which
 * would cost more than to look.
 */
void *sr_find_value(RedisModuleCtx *ctx, RedisModuleString *name, int mode,
                    RedisModuleType *type, sr_state *state);

/* The key gets a value of this type; one that it had is freed. */
void sr_set_value(RedisModuleCtx *ctx, RedisModuleString *name,
                  RedisModuleType *type, void *value);

/* The key goes, and its value is freed. */
void sr_delete(RedisModuleCtx *ctx, RedisModuleString *name);

/* Finds the key. mode: SR_READ, or SR_READ | SR_WRITE. */
sr_target sr_find(RedisModuleCtx *ctx, RedisModuleString *name, int mode);

/* About what the first table takes; 0 where seenset_new will refuse. */
uint64_t sr_planned_bytes(const seenset_options *options);

/*
 * Gives a missing key a new value, with a set as the options say. `expansion`
 * is for BF.INFO. Returns 0, or an error of seenset_new; SEENSET_ENOMEM also if
 * the set would pass maxmemory. After an error the key is still missing.
 */
int sr_make(sr_target *target, const seenset_options *options,
            uint64_t expansion);

/* Gives a missing key a new value with this chain, or frees the chain. Returns
 * 0 or SEENSET_ENOMEM. */
int sr_make_chain(sr_target *target, sr_chain *chain);

/*
 * After a change: tells replicas and the log, by the command as it came, who
 * watches the key, and who listens to events.
 */
void sr_changed(const sr_target *target, const char *event);

/* As sr_changed, without replicas and the log. */
void sr_signal(const sr_target *target, const char *event);

/*
 * After an add: whether the set may have changed, some key being new or not. A
 * window may have turned, and a set of counters or fingerprints counts keys
 * that are seen again.
 */
bool sr_may_have_changed(const sr_target *target, bool has_new);

#endif
