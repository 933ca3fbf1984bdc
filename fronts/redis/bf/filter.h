/*
 * filter.h - what RedisBloom's commands call a filter, made of a set.
 *
 * The commands, their defaults, replies and errors are RedisBloom's, as version
 * 8.2.0 answers. A filter is a set that grows; NONSCALING, or an expansion of
 * 0, is a set that refuses keys past its capacity.
 */
#ifndef SEENSET_REDIS_BF_FILTER_H
#define SEENSET_REDIS_BF_FILTER_H

#include "key/target.h"

typedef struct bf_filter {
    double rate;
    uint64_t capacity;
    uint64_t expansion; /* 0: the filter does not grow */
} bf_filter;

enum {
    BF_MAX_EXPANSION = 32768
};
#define BF_MAX_CAPACITY (UINT64_C(1) << 53)

/* What a filter is that is made by the first add to it, by the settings. */
bf_filter bf_defaults(void);

/* Gives a missing key a filter. Returns 0, or -1 after it replied an error. */
int bf_make(sr_target *target, const bf_filter *filter);

/* The same, where the command did not name all of it: replicas and the log get
 * BF.RESERVE, since their settings may be others. */
int bf_make_by_default(sr_target *target, const bf_filter *filter);

/*
 * Adds the count arguments at items to a key that is there, replies for each,
 * and passes the change on. The reply ends with the first error.
 */
int bf_add_items(sr_target *target, RedisModuleString **items, size_t count,
                 bool is_made, const char *event);

/* The error of a key to which nothing can be added. */
int bf_reply_refused(RedisModuleCtx *ctx, int error);

#endif
