/* words.h - what VISIT.* commands have in common: options with a number,
 * and items in replies. */
#ifndef SEENSET_REDIS_VISIT_WORDS_H
#define SEENSET_REDIS_VISIT_WORDS_H

#include "visit/target.h"

/* What is wrong with a rule for hosts, or a setting of one. */
#define SR_WRONG_DELAY "ERR DELAY is 0 to 31622400000 ms, 366 days"
#define SR_WRONG_BUDGET "ERR BUDGET is 1 to 4294967295 URLs"

typedef struct sr_visit_word {
    const char *word;
    uint64_t least, most;
    uint64_t *number; /* stays as it is if the word is not there */
} sr_visit_word;

/* Reads WORD NUMBER pairs. Returns NULL, or the error's text. */
const char *sr_visit_words(RedisModuleString **argv, int argc,
                           const sr_visit_word *words, size_t count);

/* Replies the URL, and its data or null. */
void sr_reply_item(RedisModuleCtx *ctx, const sr_item *item);

/* Replies the number, the URL, its data or null, and how many times it was
 * handed out. */
void sr_reply_lease(RedisModuleCtx *ctx, const sr_lease *lease);

#endif
