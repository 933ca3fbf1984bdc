/* batch_hashes.c - see batch_hashes.h */
#include "set/batch_hashes.h"

#include <string.h>

#include "table/batch_feed.h"

uint64_t ss_batch_hashes_one(const ss_key_hash *identity, const ss_batch *batch,
                             size_t i)
{
    uint8_t bytes[sizeof(uint64_t)];
    if (batch->hashes != NULL)
        return batch->hashes[i];
    seenset_key key = ss_batch_key(batch, i, bytes);
    return ss_key_hash_of(identity, key.data, key.len);
}

/* A group, or the rest of one. */
static void make_group(const ss_key_hash *identity, const ss_batch *batch,
                       size_t first, size_t count, uint64_t *hashes)
{
    if (ss_key_hash_is_unkeyed(identity)) {
        ss_batch_hash_group(batch, first, count, hashes);
        return;
    }
    if (batch->keys != NULL) {
        ss_key_hash_many(identity, batch->keys + first, count, hashes);
        return;
    }
    for (size_t i = 0; i < count; i++)
        hashes[i] = ss_batch_hashes_one(identity, batch, first + i);
}

void ss_batch_hashes_make(const ss_key_hash *identity, const ss_batch *batch,
                          size_t first, size_t count, uint64_t *hashes)
{
    if (batch->hashes != NULL) {
        memcpy(hashes, batch->hashes + first, count * sizeof *hashes);
        return;
    }
    for (size_t i = 0; i < count; i += SS_GROUP) {
        ss_batch_fetch(batch, first + i + ss_batch_ahead(batch, false), false);
        make_group(identity, batch, first + i,
                   count - i < SS_GROUP ? count - i : SS_GROUP, hashes + i);
    }
}
