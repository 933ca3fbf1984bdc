/*
 * batch.h - the URLs of a command: url [DATA d] [url [DATA d]] ...
 *
 * A URL is any bytes: its spelling is the client's. One that is the word DATA
 * itself can only come first.
 */
#ifndef SEENSET_REDIS_VISIT_BATCH_H
#define SEENSET_REDIS_VISIT_BATCH_H

#include "visit/numbers.h"
#include "visit/target.h"

typedef struct sr_batch {
    RedisModuleCtx *ctx;
    RedisModuleString **argv;
    size_t count;      /* URLs */
    size_t *at;        /* of each, in argv */
    seenset_key *keys; /* the URLs */
    sr_item *items;
    size_t room_bytes; /* that is enough for all */
} sr_batch;

/* Reads count arguments, at least 1. Returns NULL, or the error's text. */
const char *sr_batch_read(sr_batch *batch, RedisModuleCtx *ctx,
                          RedisModuleString **argv, size_t count);

/*
 * Adds the URLs to the set, and enqueues each that is new, in one step: on
 * SEENSET_ENOMEM nothing was done. Stores a seenset_answer for each; those that
 * the set refused, for which *refused says why, are not enqueued. With
 * is_known, all are: a master found that they were new.
 */
int sr_batch_push(const sr_batch *batch, sr_visit *visit, bool is_known,
                  uint8_t *answers, int *refused);

/* Tells replicas and the log which URLs were new. */
void sr_batch_replicate(const sr_batch *batch, RedisModuleString *name,
                        const uint8_t *answers);

/* The same, with the host of each that was new. */
void sr_batch_replicate_hosts(const sr_batch *batch, RedisModuleString *name,
                              const uint8_t *answers, const sr_numbers *hosts);

#endif
