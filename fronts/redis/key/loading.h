/*
 * loading.h - a key that is loaded in chunks, by SEEN.LOAD, BF.LOADCHUNK or
 * CF.LOADCHUNK: how that begins and ends.
 */
#ifndef SEENSET_REDIS_LOADING_H
#define SEENSET_REDIS_LOADING_H

#include "key/incoming.h"
#include "key/target.h"

/* What is said of the set that comes. */
typedef struct sr_loading {
    bool has_secret, has_expansion;
    uint8_t secret[SEENSET_SECRET_BYTES];
    uint64_t expansion;
} sr_loading;

/* Gives a missing key a value for what comes. Returns 0 or SEENSET_ENOMEM. */
int sr_load_begin(sr_target *target);

/* Drops what has come; a key that has nothing else goes. */
void sr_load_drop(sr_target *target);

/*
 * After the last chunk: the key gets what has come, and the change is passed
 * on; or what has come is dropped, and replicas get ABORT. Replies.
 */
int sr_load_finish(sr_target *target, const sr_loading *loading,
                   const char *event);

#endif
