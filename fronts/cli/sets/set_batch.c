/*
 * set_batch.c - see set_batch.h.
 */
#include "sets/set_batch.h"

#include <string.h>

#define GROUP_KEYS ((size_t)512) /* that are on the stack at once */

bool set_batch_wants_keys(const seenset *set)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    return info.is_keyed || info.scheme > SEENSET_SCHEME_CHAIN;
}

void set_batch_hash_nothing(batch *keys)
{
    (void)keys;
}

/* Lists the keys of `text` from line `first` on. Returns how many. */
static size_t take_group(const batch *keys, const char *text, size_t first,
                         seenset_key group[GROUP_KEYS])
{
    size_t left = keys->count - first;
    size_t count = left < GROUP_KEYS ? left : GROUP_KEYS;
    for (size_t i = 0; i < count; i++) {
        size_t start = batch_start(keys, first + i);
        group[i].data = text + start;
        group[i].len = keys->ends[first + i] - start;
    }
    return count;
}

/* After the first refused key the library refuses all others. */
static int add_keys(seenset *set, batch *keys)
{
    seenset_key group[GROUP_KEYS];
    const char *text = batch_text(keys);
    if (text == NULL)
        return SEENSET_EIO;
    memset(keys->answers, SEENSET_ANSWER_REFUSED, keys->count);
    for (size_t done = 0; done < keys->count;) {
        size_t count = take_group(keys, text, done, group);
        int error = seenset_add_many(set, group, count, keys->answers + done);
        if (error != 0)
            return error;
        done += count;
    }
    return 0;
}

static int has_keys(const seenset *set, batch *keys)
{
    seenset_key group[GROUP_KEYS];
    const char *text = batch_text(keys);
    int error = text == NULL ? SEENSET_EIO : 0;
    for (size_t done = 0; error == 0 && done < keys->count;) {
        size_t count = take_group(keys, text, done, group);
        error = seenset_has_many(set, group, count, keys->answers + done);
        done += count;
    }
    return error;
}

int set_batch_add(seenset *set, bool wants_keys, batch *keys)
{
    if (wants_keys)
        return add_keys(set, keys);
    return seenset_add_hash_many(set, keys->hashes, keys->count, keys->answers);
}

int set_batch_has(const seenset *set, bool wants_keys, batch *keys)
{
    if (wants_keys)
        return has_keys(set, keys);
    return seenset_has_hash_many(set, keys->hashes, keys->count, keys->answers);
}
