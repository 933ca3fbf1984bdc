/*
 * batch.c - many keys in one call.
 *
 * The keys are bytes one after another; key i ends where key i + 1 begins.
 * `offsets` has one number more than there are keys, and `base` is what the
 * first of them stands for: keys are handed over in pieces of a long array, and
 * its offsets stay as they are.
 */
#include "wasm/web.h"

enum {
    CHUNK_KEYS = 512
};

typedef struct batch {
    const uint8_t *data;
    const uint32_t *offsets;
    uint32_t base;
    uint32_t key_count;
} batch;

/* Keys from number `first` on; returns how many. */
static uint32_t some_keys(const batch *all, uint32_t first,
                          seenset_key keys[CHUNK_KEYS])
{
    uint32_t left = all->key_count - first;
    uint32_t count = left < CHUNK_KEYS ? left : CHUNK_KEYS;
    const uint32_t *offset = all->offsets + first;
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (seenset_key){.data = all->data + (offset[i] - all->base),
                                .len = offset[i + 1] - offset[i]};
    return count;
}

/* After the first error the answers to the keys left are "refused". */
int WEB_CALL(web_add_many)(seenset *set, const uint8_t *data,
                           const uint32_t *offsets, uint32_t base,
                           uint32_t key_count, uint8_t *answers)
{
    batch all = {data, offsets, base, key_count};
    seenset_key keys[CHUNK_KEYS];
    int result = SEENSET_OK;
    for (uint32_t done = 0, count; done < key_count; done += count) {
        count = some_keys(&all, done, keys);
        int error = seenset_add_many(set, keys, count, answers + done);
        if (error != SEENSET_OK && error != SEENSET_EFULL)
            return error;
        result = error != SEENSET_OK ? error : result;
    }
    return result;
}

int WEB_CALL(web_has_many)(const seenset *set, const uint8_t *data,
                           const uint32_t *offsets, uint32_t base,
                           uint32_t key_count, uint8_t *answers)
{
    batch all = {data, offsets, base, key_count};
    seenset_key keys[CHUNK_KEYS];
    int error = SEENSET_OK;
    for (uint32_t done = 0, count; done < key_count && error == SEENSET_OK;
         done += count) {
        count = some_keys(&all, done, keys);
        error = seenset_has_many(set, keys, count, answers + done);
    }
    return error;
}

void WEB_CALL(web_hash_many)(const uint8_t *data, const uint32_t *offsets,
                             uint32_t base, uint32_t key_count,
                             uint64_t *hashes)
{
    for (uint32_t i = 0; i < key_count; i++)
        hashes[i] = seenset_hash(data + (offsets[i] - base),
                                 offsets[i + 1] - offsets[i]);
}

/* Turns offsets into keys, for calls that need all of them at once. */
void WEB_CALL(web_point_keys)(const uint8_t *data, const uint32_t *offsets,
                              uint32_t base, uint32_t key_count,
                              seenset_key *keys)
{
    for (uint32_t i = 0; i < key_count; i++)
        keys[i] = (seenset_key){.data = data + (offsets[i] - base),
                                .len = offsets[i + 1] - offsets[i]};
}
