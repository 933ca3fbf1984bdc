/*
 * target.h - the partition that a command is about: found, made, changed.
 */
#ifndef SEENSET_REDIS_VISIT_TARGET_H
#define SEENSET_REDIS_VISIT_TARGET_H

#include "key/target.h"
#include "visit/partition/visit.h"

typedef struct sr_visit_target {
    RedisModuleCtx *ctx;
    RedisModuleString *name;
    sr_visit *visit; /* NULL: SR_MISSING and SR_OTHER_TYPE */
    sr_state state;  /* SR_SET: it is whole */
} sr_visit_target;

/* What VISIT.NEW says. */
typedef struct sr_visit_options {
    uint64_t capacity_items, limit_bytes;
    double fp_rate;
    bool has_rules; /* for hosts */
    sr_rules rules;
} sr_visit_options;

#define SR_NO_DOMAINS                                                          \
    "ERR this module was built without libpsl, which knows registrable "       \
    "domains; BY host and BY hostport need nothing"

/* Whether this module finds the sites of URLs of such a kind. */
bool sr_visit_can_find_sites(uint32_t by);

/* What a partition has if nobody says. */
sr_visit_options sr_visit_defaults(void);

/* Finds the key, as sr_find. */
sr_visit_target sr_visit_find(RedisModuleCtx *ctx, RedisModuleString *name,
                              int mode);

/* Gives a missing key an empty partition. Returns 0 or an error of seenset_new;
 * on error the key stays missing. */
int sr_visit_make(sr_visit_target *target, const sr_visit_options *options);

/* Gives a missing key an empty value, which has no set. 0 or SEENSET_ENOMEM. */
int sr_visit_make_empty(sr_visit_target *target);

/* The error of a key of this state, as sr_reply_state. */
int sr_visit_reply_state(RedisModuleCtx *ctx, sr_state state);

/* After a change, without replicas and the log. */
void sr_visit_signal(const sr_visit_target *target, const char *event);

/* As sr_visit_signal; replicas and the log get the command as it came. */
void sr_visit_changed(const sr_visit_target *target, const char *event);

/* The server's clock, in ms since 1970, and so many ms after it. */
uint64_t sr_visit_time(uint64_t after_ms);

#endif
