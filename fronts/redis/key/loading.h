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

/* A chunk of a dump: 1, the header; else the iterator is one more than the
 * place, after the header, at which the chunk ends. */
typedef struct sr_chunk {
    uint64_t iterator;
    const uint8_t *bytes;
    size_t len;
} sr_chunk;

/* What BF.LOADCHUNK and CF.LOADCHUNK have of their own. */
typedef struct sr_chunk_way {
    const char *event;
    /* The length of the header at the front of these bytes, 0 if it is none,
     * and how many bytes come after it. */
    size_t (*head)(const uint8_t *bytes, size_t len, uint64_t *body_bytes);
    const char *misplaced; /* errors: no header has come, or it is before it */
    const char *disordered;
} sr_chunk_way;

/* The header, which is sound. What has come before is dropped, and so is a key
 * that it was all of. Replies. */
int sr_load_head(sr_target *target, const sr_chunk *head, uint64_t body_bytes,
                 const sr_chunk_way *way);

/* A chunk after it; the last one finishes. Replies. */
int sr_load_body(sr_target *target, const sr_chunk *part,
                 const sr_chunk_way *way);

/* Drops what has come; a key that has nothing else goes. */
void sr_load_drop(sr_target *target);

/*
 * After the last chunk: the key gets what has come, and the change is passed
 * on; or what has come is dropped, and replicas get ABORT. Replies.
 */
int sr_load_finish(sr_target *target, const sr_loading *loading,
                   const char *event);

#endif
